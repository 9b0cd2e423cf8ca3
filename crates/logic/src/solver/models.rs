//! Does a model that was found before still fit? Conditions along a path grow by one; most models survive that.

use std::collections::VecDeque;

use crate::evaluate::satisfies;
use crate::model::Model;
use crate::term::{Term, Terms};

/// How many models are kept, the latest first.
const KEPT: usize = 16;

#[derive(Default)]
pub(super) struct ModelCache {
    latest: VecDeque<Model>,
}

impl ModelCache {
    /// A kept model under which all of these are true.
    pub(super) fn find(&mut self, terms: &Terms, conjuncts: &[Term]) -> Option<Model> {
        let at = self.latest.iter().position(|model| satisfies(terms, model, conjuncts))?;
        let model = self.latest.remove(at)?;
        self.latest.push_front(model.clone());
        Some(model)
    }

    /// Remembers a model as the latest and forgets the oldest.
    pub(super) fn add(&mut self, model: &Model) {
        self.latest.push_front(model.clone());
        self.latest.truncate(KEPT);
    }
}
