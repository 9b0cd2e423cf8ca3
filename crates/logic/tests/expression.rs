//! Are expressions as large as what they share, and not as the trees that they stand for?

use std::sync::Arc;

use lazuli_logic::expression::Named;
use lazuli_logic::{Binary, Constant, Expression, Sort, Term, Terms, Unary};

/// `rounds` rounds of `x = x * 31 + a ^ x >>> 3`: a tree of more than 2^rounds nodes.
fn mixed(terms: &mut Terms, rounds: usize) -> Term {
    let a = terms.variable("a", Sort::Int);
    let (three, factor) = (terms.int(3), terms.int(31));
    (0..rounds).fold(a, |x, _| {
        let product = terms.binary(Binary::Multiply, x, factor);
        let sum = terms.binary(Binary::Add, product, a);
        let shifted = terms.binary(Binary::ShiftRightUnsigned, x, three);
        terms.binary(Binary::BitXor, sum, shifted)
    })
}

#[test]
fn a_shared_part_is_there_once() {
    let mut terms = Terms::new();
    let term = mixed(&mut terms, 1000);
    let (one, other) = (Expression::of(&terms, term), Expression::of(&terms, term));
    assert!(one == other);
    let written = serde_json::to_string(&one).unwrap();
    let read: Expression = serde_json::from_str(&written).unwrap();
    assert!(read == one && written.len() < 200_000, "{}", written.len());
    assert_eq!(one.variables().len(), 1);
    let expected = (0..1000).fold(7i32, |x, _| x.wrapping_mul(31).wrapping_add(7) ^ ((x as u32) >> 3) as i32);
    assert_eq!(one.value(&|_| Some(Constant::Int(7))), Some(Constant::Int(expected)));
    let longer = mixed(&mut terms, 1001);
    assert!(Expression::of(&terms, longer) != one);
}

#[test]
fn a_deep_term_needs_no_stack() {
    let variable = Named { name: "a".into(), sort: Sort::Int, range: (0, 9) };
    let mut deep = Expression::Variable(Arc::new(variable));
    for _ in 0..200_000 {
        deep = Expression::Unary(Unary::Negate, Arc::new(deep));
    }
    assert_eq!(deep.value(&|_| Some(Constant::Int(5))), Some(Constant::Int(5)));
    assert!(deep.to_string().len() < 10_000 && deep == deep.clone());
    drop(deep);
}

#[test]
fn a_list_of_parts_that_is_no_expression_is_refused() {
    for wrong in ["[]", r#"[{"Unary":["Negate",0]}]"#, r#"[{"Unary":["Negate",1]},{"Constant":{"Int":1}}]"#] {
        assert!(serde_json::from_str::<Expression>(wrong).is_err(), "{wrong}");
    }
}
