//! How does something grow with the scope? Charts of lines on a scale of powers of ten, as SVG.

use std::path::Path;

use lazuli_console::escape::escaped;
use lazuli_console::safe;

/// Charts that are looked at together.
pub struct Figure {
    /// The name of its file, without the ending.
    pub name: String,
    pub title: String,
    pub charts: Vec<Chart>,
}

pub struct Chart {
    pub title: String,
    pub lines: Vec<Line>,
}

pub struct Line {
    /// Lines of the same name look alike in all charts of a figure.
    pub name: String,
    /// Scope, and what was measured there.
    pub points: Vec<(usize, f64)>,
}

const WIDTH: f64 = 300.0;
const HEIGHT: f64 = 200.0;
/// Room for what stands beside, above and below the lines of a chart.
const LEFT: f64 = 48.0;
const TOP: f64 = 26.0;
const BOTTOM: f64 = 34.0;
const RIGHT: f64 = 14.0;
/// Above all charts: the title and the names of the lines.
const HEAD: f64 = 52.0;
const CHARTS_IN_A_ROW: usize = 3;
/// Room for the name of a line.
const NAME: f64 = 130.0;

/// Colours that people with any kind of colour vision tell apart, each with dashes of its own for those who see none.
const PENS: &[(&str, &str)] = &[
    ("#0072b2", ""),
    ("#e69f00", "6 3"),
    ("#009e73", "2 2"),
    ("#d55e00", "8 3 2 3"),
    ("#cc79a7", "4 4"),
    ("#56b4e9", "1 3"),
    ("#000000", "10 4"),
];

impl Figure {
    /// Writes the figure into a directory, and returns the name of the file.
    pub fn write(&self, directory: &Path) -> Result<String, String> {
        let file = format!("{}.svg", self.name);
        let path = directory.join(&file);
        safe::replace(&path, self.svg().as_bytes())
            .map_err(|error| format!("{} cannot be written: {error}.", path.display()))?;
        Ok(file)
    }

    pub fn svg(&self) -> String {
        let names = self.names();
        let columns = self.charts.len().clamp(1, CHARTS_IN_A_ROW);
        let rows = self.charts.len().div_ceil(CHARTS_IN_A_ROW);
        let width = (WIDTH * columns as f64).max(NAME * names.len() as f64);
        let height = HEAD + HEIGHT * rows as f64;
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
             font-family=\"sans-serif\" font-size=\"11\" role=\"img\">\n<title>{title}</title>\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n\
             <text x=\"10\" y=\"18\" font-size=\"14\">{title}</text>\n",
            title = escaped(&self.title)
        );
        for (at, name) in names.iter().enumerate() {
            let x = 10.0 + NAME * at as f64;
            text.push_str(&format!(
                "<path d=\"M{x} 36h24\" {}/>\n<text x=\"{}\" y=\"40\">{}</text>\n",
                pen(at),
                x + 30.0,
                escaped(name)
            ));
        }
        for (at, chart) in self.charts.iter().enumerate() {
            let x = WIDTH * (at % CHARTS_IN_A_ROW) as f64;
            let y = HEAD + HEIGHT * (at / CHARTS_IN_A_ROW) as f64;
            text.push_str(&format!("<g transform=\"translate({x} {y})\">\n{}</g>\n", chart.svg(&names)));
        }
        text.push_str("</svg>\n");
        text
    }

    /// The names of all lines, in the order in which they come.
    fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for line in self.charts.iter().flat_map(|chart| &chart.lines) {
            if !names.contains(&line.name.as_str()) {
                names.push(&line.name);
            }
        }
        names
    }
}

impl Chart {
    fn svg(&self, names: &[&str]) -> String {
        let points = || self.lines.iter().flat_map(|line| &line.points);
        let first = points().map(|(scope, _)| *scope).min().unwrap_or(0);
        let last = points().map(|(scope, _)| *scope).max().unwrap_or(0).max(first + 1);
        // Whole powers of ten below and above everything.
        let lowest = points().map(|(_, value)| power(*value).floor() as i32).min().unwrap_or(0);
        let highest = points().map(|(_, value)| power(*value).ceil() as i32).max().unwrap_or(0).max(lowest + 1);
        let x = |scope: usize| LEFT + (WIDTH - LEFT - RIGHT) * (scope - first) as f64 / (last - first) as f64;
        let y = |power: f64| {
            HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (power - lowest as f64) / (highest - lowest) as f64
        };
        let mut text = format!("<text x=\"{LEFT}\" y=\"16\" font-size=\"12\">{}</text>\n", escaped(&self.title));
        for power in lowest..=highest {
            let at = y(power as f64);
            text.push_str(&format!(
                "<path d=\"M{LEFT} {at:.1}H{:.1}\" stroke=\"#d0d0d0\"/>\n<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\n",
                WIDTH - RIGHT,
                LEFT - 6.0,
                at + 4.0,
                power_of_ten(power)
            ));
        }
        // At most eight numbers fit below the chart.
        for scope in (first..=last).step_by((last - first).div_ceil(8).max(1)) {
            text.push_str(&format!(
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{scope}</text>\n",
                x(scope),
                HEIGHT - BOTTOM + 16.0
            ));
        }
        for line in &self.lines {
            let Some(at) = names.iter().position(|name| *name == line.name) else { continue };
            let places: Vec<(f64, f64)> =
                line.points.iter().map(|(scope, value)| (x(*scope), y(power(*value)))).collect();
            let joined: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
            text.push_str(&format!("<path d=\"M{}\" {}/>\n", joined.join("L"), pen(at)));
            for ((x, y), (scope, value)) in places.iter().zip(&line.points) {
                text.push_str(&format!(
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2\" fill=\"{}\"><title>{}, scope {scope}: {value:.2}</title></circle>\n",
                    PENS[at % PENS.len()].0,
                    escaped(&line.name)
                ));
            }
        }
        text
    }
}

/// The power of ten that a measured value is; nothing measured is 0, and what is shown as 0 is small.
fn power(value: f64) -> f64 {
    value.max(0.001).log10()
}

fn power_of_ten(power: i32) -> String {
    if power < 0 {
        format!("{:.*}", power.unsigned_abs() as usize, 10f64.powi(power))
    } else {
        format!("{}", 10u64.pow(power as u32))
    }
}

fn pen(at: usize) -> String {
    let (colour, dashes) = PENS[at % PENS.len()];
    format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\" stroke-dasharray=\"{dashes}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_grows_tenfold_goes_up_by_equal_steps() {
        let line = Line { name: "a<b".to_string(), points: vec![(1, 0.1), (2, 1.0), (3, 10.0)] };
        let chart = Chart { title: "t".to_string(), lines: vec![line] };
        let figure = Figure { name: "f".to_string(), title: "T & t".to_string(), charts: vec![chart] };
        let svg = figure.svg();
        // 140 units of height for two powers of ten, 238 of width for two scopes.
        assert!(svg.contains("M48.0 166.0L167.0 96.0L286.0 26.0"), "{svg}");
        for label in [">0.1<", ">1<", ">10<", "a&lt;b, scope 2: 1.00", "T &amp; t"] {
            assert!(svg.contains(label), "{label}: {svg}");
        }
    }

    #[test]
    fn a_single_point_and_no_point_at_all_are_drawn_too() {
        let chart = |points: Vec<(usize, f64)>| Chart {
            title: String::new(),
            lines: vec![Line { name: "a".to_string(), points }],
        };
        for points in [Vec::new(), vec![(5, 0.0)], vec![(5, 3.0)]] {
            let svg = chart(points).svg(&["a"]);
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }
}
