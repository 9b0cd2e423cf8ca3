//! How do paths and time grow with the scope?

use lazuli_console::escape::escaped;
use lazuli_console::numbers::{count, duration};

use super::super::Tried;

const WIDTH: f64 = 320.0;
const HEIGHT: f64 = 180.0;
/// Room for the numbers at the bars' feet and heads.
const FOOT: f64 = 34.0;
const HEAD: f64 = 22.0;
const MOST_BARS: usize = 30;

/// Plots, side by side where there is room.
pub fn plots(tried: &[Tried], knows_paths: bool) -> String {
    // Some hundred bars would be thinner than a pixel: of many scopes, a few are drawn, and the last.
    let every = tried.len().div_ceil(MOST_BARS);
    let is_drawn = |index: usize| (tried.len() - 1 - index).is_multiple_of(every);
    let tried: Vec<&Tried> =
        tried.iter().enumerate().filter(|(index, _)| is_drawn(*index)).map(|(_, one)| one).collect();
    let paths = |one: &Tried| (one.paths as f64, count(one.paths, "", "").trim_end().to_string());
    let time = |one: &Tried| (one.elapsed.as_secs_f64(), duration(one.elapsed));
    let of_paths = if knows_paths { plot("Paths by scope", &tried, &paths) } else { String::new() };
    format!("<div class=\"plots\">\n{of_paths}{}</div>\n", plot("Time by scope", &tried, &time))
}

/// A bar for each scope; one that was not finished is hatched by the style sheet.
fn plot(title: &str, tried: &[&Tried], value: &dyn Fn(&Tried) -> (f64, String)) -> String {
    let most = tried.iter().map(|one| value(one).0).fold(f64::MIN_POSITIVE, f64::max);
    let step = WIDTH / tried.len().max(1) as f64;
    let width = (step * 0.7).min(48.0);
    let room = HEIGHT - FOOT - HEAD;
    let mut bars = String::new();
    let mut told = Vec::new();
    // Too many numbers would stand in each other's way.
    let every = tried.len().div_ceil(7);
    for (index, one) in tried.iter().enumerate() {
        let (number, words) = value(one);
        let height = (room * number / most).max(1.0);
        let middle = step * (index as f64 + 0.5);
        let top = HEIGHT - FOOT - height;
        let class = if one.is_complete { "bar" } else { "bar unfinished" };
        bars.push_str(&format!(
            "<rect class=\"{class}\" x=\"{:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"><title>scope {}: {}{}</title></rect>\n",
            middle - width / 2.0,
            one.scope,
            escaped(&words),
            if one.is_complete { "" } else { ", not finished" }
        ));
        if index % every == 0 || index + 1 == tried.len() {
            bars.push_str(&format!(
                "<text x=\"{middle:.1}\" y=\"{:.1}\">{}</text>\n<text class=\"axis\" x=\"{middle:.1}\" y=\"{:.1}\">{}</text>\n",
                top - 6.0,
                escaped(&words),
                HEIGHT - FOOT + 16.0,
                one.scope
            ));
        }
        told.push(format!("scope {}: {words}", one.scope));
    }
    format!(
        "<figure><figcaption>{title}</figcaption>\n<svg class=\"plot\" role=\"img\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\">\
         <title>{title}</title><desc>{}</desc>\n<path class=\"ground\" d=\"M0 {ground}H{WIDTH}\"/>\n{bars}\
         <text class=\"axis\" x=\"{}\" y=\"{}\">scope</text></svg></figure>\n",
        escaped(&told.join(", ")),
        WIDTH / 2.0,
        HEIGHT - 3.0,
        ground = HEIGHT - FOOT
    )
}
