//! How does a report tell which events broke a property?

use lazuli_vm::property::{BrokenProperty, EventStep};

use crate::path::Path;
use crate::report::{PropertyBreach, PropertyStep};
use crate::worker::Worker;

impl Worker<'_> {
    /// The events that led to the error, in words.
    pub(super) fn breach(&self, path: &Path, broken: &BrokenProperty) -> PropertyBreach {
        let properties = self.config.properties.as_deref();
        let states = properties.and_then(|known| known.all.get(broken.property)).map(|property| &property.states[..]);
        let step = |step: &EventStep| {
            let place = step.place.filter(|(method, _)| !method.hidden);
            PropertyStep {
                kind: step.kind,
                subject: step.subject.to_string(),
                thread: path.threads.is_some().then(|| path.thread_name(step.thread)),
                at: place.map_or(String::new(), |(method, pc)| self.line_of(method, pc)),
                place: place.and_then(|(method, pc)| self.source_line(method, pc)),
                state: step.state.and_then(|state| Some(states?.get(state)?.name.clone())),
            }
        };
        PropertyBreach {
            property: broken.name.clone(),
            what: broken.what.clone(),
            object: broken.object.map(|object| self.object_name(path, object)),
            word: broken.word.iter().map(step).collect(),
        }
    }
}
