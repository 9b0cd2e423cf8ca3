//! Which inputs does a verdict speak of? Tests of the words in `extent`, a file of their own because other tests include that one.

use lazuli_explore::{RecipeExtent, Report};
use lazuli_vm::universe::Restriction;

use super::extent::extent;

#[test]
fn a_recipe_lists_its_methods() {
    let made = |calls, methods: &[&str]| {
        let methods = methods.iter().map(|name| name.to_string()).collect();
        let recipes = vec![RecipeExtent { class: "TreeMap".to_string(), constructor: None, calls, methods }];
        extent(&Report { recipes, ..Report::default() })
    };
    assert_eq!(made(1, &["put"]), "every TreeMap made by at most 1 call of put");
    assert_eq!(made(3, &["put", "remove", "clear"]), "every TreeMap made by at most 3 calls of put, remove and clear");
}

#[test]
fn restrictions_stand_where_they_belong() {
    let restrictions = [
        Restriction::ClassPath,
        Restriction::InitialStatic { field: "Config.mode".to_string() },
        Restriction::Scope { class: "Node".to_string(), most: 3 },
        Restriction::ArrayLength { most: 2 },
    ];
    let report = Report { restrictions: restrictions.into(), numbers: Some((-8, 7)), ..Report::default() };
    assert_eq!(
        extent(&report),
        "every input of classes on the class path with Config.mode as its initialiser leaves it with at most 3 Node objects and 2 \
         elements in each array, with numbers from -8 to 7"
    );
}

#[test]
fn calls_that_make_inputs_are_counted() {
    let of = |restrictions: &[Restriction]| {
        let made_by_calls = vec!["Cart".to_string()];
        extent(&Report { made_by_calls, restrictions: restrictions.iter().cloned().collect(), ..Report::default() })
    };
    assert_eq!(of(&[]), "every Cart that calls make");
    assert_eq!(of(&[Restriction::Calls { most: 1 }]), "every Cart that at most 1 call makes");
    let returning = [Restriction::Calls { most: 3 }, Restriction::ReturningCalls];
    assert_eq!(of(&returning), "every Cart that at most 3 calls that return make");
}
