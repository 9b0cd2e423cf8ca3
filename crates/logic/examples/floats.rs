//! How long does a question about floating-point numbers take, by circuits and by Z3? Each question in a fresh solver, both in one run.
//!
//!     cargo run --release -p lazuli-logic --example floats

use std::time::{Duration, Instant};

use lazuli_logic::solver::{CircuitSolver, Smt};
use lazuli_logic::{Binary, Chain, Constant, Solver, SolverAnswer, SolverLimits, Sort, Term, Terms, Unary};

struct Questions {
    terms: Terms,
    list: Vec<(&'static str, Vec<Term>)>,
}

fn main() {
    let limit = std::env::args().nth(1).and_then(|seconds| seconds.parse().ok()).unwrap_or(20);
    let limits = SolverLimits { time: Duration::from_secs(limit), ..SolverLimits::default() };
    let Questions { terms, list } = questions();
    println!("{:42} {:>18} {:>18} {:>18}", "question", "circuits", "Z3", "chain");
    for (name, conjuncts) in list {
        let mut line = format!("{name:42}");
        let solvers: [Box<dyn Solver>; 3] =
            [Box::new(CircuitSolver::default()), Box::new(Smt::default()), Box::new(Chain::default())];
        for mut solver in solvers {
            let started = Instant::now();
            let verdict = match solver.check(&terms, &conjuncts, &limits) {
                SolverAnswer::Sat(_) => "sat",
                SolverAnswer::Unsat => "unsat",
                SolverAnswer::Unknown => "unknown",
            };
            line += &format!(" {:>18}", format!("{verdict} {:.4} s", started.elapsed().as_secs_f64()));
        }
        println!("{line}");
    }
}

fn questions() -> Questions {
    let mut terms = Terms::new();
    let t = &mut terms;
    let mut list = Vec::new();
    let double = |t: &mut Terms, value: f64| t.constant(Constant::Double(value.to_bits()));
    let [d, x, y] = ["d", "x", "y"].map(|name| t.variable(name, Sort::Double));
    let [f, g] = ["f", "g"].map(|name| t.variable(name, Sort::Float));
    let [zero, one, ten] = [0.0, 1.0, 10.0].map(|value| double(t, value));

    let square = t.binary(Binary::Multiply, d, d);
    let value = double(t, 2.25);
    list.push(("d * d == 2.25", vec![t.equal(square, value)]));
    let value = double(t, 2.0);
    list.push(("d * d == 2.0 has no solution", vec![t.equal(square, value)]));
    let bounds = [t.less(one, x), t.less(x, ten), t.less(one, y), t.less(y, ten)];
    let quotient = t.binary(Binary::Divide, x, y);
    let back = t.binary(Binary::Multiply, quotient, y);
    let same = t.equal(back, x);
    list.push(("x / y * y != x for x, y in (1, 10)", [&bounds[..], &[t.not(same)]].concat()));
    let root = t.unary(Unary::SquareRoot, d);
    list.push(("sqrt(d) > d", vec![t.less(d, root)]));
    let (positive, negative) = (t.less_or_equal(zero, d), t.less_or_equal(zero, root));
    list.push(("sqrt(d) < 0 for d >= 0", vec![positive, t.not(negative)]));
    let sum = t.binary(Binary::Add, x, y);
    let difference = t.binary(Binary::Subtract, sum, y);
    let same = t.equal(difference, x);
    list.push(("x + y - y != x for x, y in (1, 10)", [&bounds[..], &[t.not(same)]].concat()));
    let (sum, swapped) = (t.binary(Binary::Add, x, y), t.binary(Binary::Subtract, y, x));
    let greater = t.less(sum, swapped);
    list.push(("x + y < y - x for x, y in (1, 10)", [&bounds[..], &[greater]].concat()));
    let halves = {
        let two = double(t, 2.0);
        let sum = t.binary(Binary::Add, x, y);
        t.binary(Binary::Divide, sum, two)
    };
    let (low, high) = (t.less(halves, x), t.less(y, halves));
    let ordered = t.less_or_equal(x, y);
    list.push(("middle below both, x <= y in (1, 10)", [&bounds[..], &[ordered, low]].concat()));
    list.push(("middle above both, x <= y in (1, 10)", [&bounds[..], &[ordered, high]].concat()));
    let product = t.binary(Binary::Multiply, f, g);
    let value = t.constant(Constant::Float(0.3f32.to_bits()));
    list.push(("f * g == 0.3f", vec![t.equal(product, value)]));
    let tenth = t.constant(Constant::Float(0.1f32.to_bits()));
    let scaled = t.binary(Binary::Multiply, f, tenth);
    let widened = t.unary(Unary::ToDouble, scaled);
    let wide = t.unary(Unary::ToDouble, f);
    let narrow = double(t, 0.1);
    let product = t.binary(Binary::Multiply, wide, narrow);
    let difference = t.binary(Binary::Subtract, widened, product);
    let value = double(t, 1.0);
    list.push(("f * 0.1f - (double) f * 0.1 > 1", vec![t.less(value, difference)]));
    let floor = t.unary(Unary::Floor, d);
    let rest = t.binary(Binary::Subtract, d, floor);
    let outside = t.less_or_equal(one, rest);
    let bound = double(t, 1e9);
    let not_small = t.less_or_equal(zero, d);
    list.push(("d - floor(d) >= 1 for d in [0, 1e9)", vec![not_small, t.less(d, bound), outside]));
    let integer = t.unary(Unary::ToInt, d);
    let number = t.unary(Unary::ToDouble, integer);
    let same = t.equal(number, d);
    let forty_two = t.int(42);
    let is_there = t.equal(integer, forty_two);
    list.push(("(int) d == 42 and (double) (int) d != d", vec![is_there, t.not(same)]));
    let i = t.variable("i", Sort::Int);
    let number = t.unary(Unary::ToDouble, i);
    let back = t.unary(Unary::ToInt, number);
    let same = t.equal(back, i);
    list.push(("(int) (double) i != i", vec![t.not(same)]));
    let number = t.unary(Unary::ToFloat, i);
    let back = t.unary(Unary::ToInt, number);
    let same = t.equal(back, i);
    list.push(("(int) (float) i != i", vec![t.not(same)]));
    let three = double(t, 3.0);
    let rest = t.binary(Binary::Remainder, d, three);
    let half = double(t, 2.5);
    let bound = double(t, 100.0);
    list.push(("d % 3 == 2.5 for d in (10, 100)", vec![t.less(ten, d), t.less(d, bound), t.equal(rest, half)]));
    list.push(("d % 3 >= 3", vec![t.less_or_equal(three, rest)]));
    Questions { terms, list }
}
