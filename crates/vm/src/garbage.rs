//! What can the program no longer reach, and which of its `java.lang.ref` references learn of it?

use std::rc::Rc;

use crate::program::{Hold, Program};
use crate::state::State;
use crate::untold::TextUnit;
use crate::value::{ObjId, Value};

impl State {
    /// Frees what the program can no longer reach. Softly held objects go only if `memory_is_short`.
    pub fn collect_garbage(&mut self, program: &Program, memory_is_short: bool) {
        let references = &program.known().references;
        // A queue must not change under the hands of the code that works on it.
        let is_busy =
            self.thread.frames.iter().any(|frame| frame.method.class().name.starts_with("java/lang/ref/Reference"));
        let State { heap, thread, classes, strings, monitors, threads, monitor, roots, symbols } = self;
        let from_stack = thread.values().filter_map(|value| match value {
            Value::Ref(id) => id,
            _ => None,
        });
        let all = from_stack
            .chain(classes.mirrors())
            .chain(strings.objects())
            .chain(monitors.iter().map(|held| held.object))
            .chain([roots.main_thread, roots.arguments].into_iter().flatten())
            .chain(roots.modules.iter().map(|(_, module)| *module))
            .chain(roots.failures.iter().map(|(_, failure)| *failure))
            .chain(thread.frames.iter().filter_map(|frame| frame.synchronized))
            .chain(threads.iter().flat_map(|threads| threads.roots()))
            .chain(thread.watch.iter().flat_map(|watch| watch.objects()))
            .chain(monitor.iter().flat_map(|monitor| monitor.objects()))
            // Inputs are part of the answer, and references that are not decided yet may turn out to be one of them.
            .chain(symbols.inputs.iter().map(|input| input.object))
            .chain(symbols.boxes.iter().copied())
            .chain(symbols.held.iter().map(|held| held.object))
            .chain(symbols.untried.iter().copied())
            .chain(symbols.later.iter().map(|(object, _)| *object))
            .chain(symbols.origin.iter().flat_map(|origin| origin.ids()))
            .chain(symbols.olds.iter().filter_map(|old| match old {
                Some(Value::Ref(object)) => *object,
                _ => None,
            }))
            // The name of an object whose hash code is known must not be used again.
            .chain(symbols.hashes.iter().map(|(object, _)| *object))
            .chain(symbols.labels.iter().filter_map(|label| label.key.object()))
            .chain(symbols.known_to_unknown_code().filter_map(Value::object))
            .chain(symbols.untold.iter().flat_map(|text| text.units.iter()).filter_map(|unit| match unit {
                TextUnit::Text(string) => Some(*string),
                _ => None,
            }))
            .chain(symbols.made)
            .chain(symbols.refused.iter().map(|refused| refused.exception));
        let cleared = heap.collect(all, |class| match class.hold {
            Hold::Weak if !is_busy => Some(references.referent),
            Hold::Soft if !is_busy && memory_is_short => Some(references.referent),
            _ => None,
        });
        // The name of a freed object may be used again.
        if symbols.untold.iter().any(|text| !heap.contains(text.object)) {
            Rc::make_mut(&mut symbols.untold).retain(|text| heap.contains(text.object));
        }
        if let Some(threads) = threads {
            threads.forget_freed(heap);
        }
        for reference in cleared {
            self.enqueue(program, reference);
        }
    }

    /// Puts a cleared reference into its queue, as `ReferenceQueue.enqueue` does. In `java` a thread does so soon.
    fn enqueue(&mut self, program: &Program, reference: ObjId) {
        let known = &program.known().references;
        let Value::Ref(Some(queue)) = self.heap.field(reference, known.queue) else { return };
        // The queues that stand for no queue, and for having been in one.
        if self.heap.class(queue).name == "java/lang/ref/ReferenceQueue$Null" {
            return;
        }
        let Some(mirror) = self.classes.slot(known.queue_class.id).mirror else { return };
        let Some(enqueued) = known.queue_class.field("ENQUEUED") else { return };
        let enqueued = self.heap.field(mirror, program.slot_of(enqueued) as usize);
        let next = match self.heap.field(queue, known.queue_head) {
            Value::Ref(Some(head)) => head,
            _ => reference,
        };
        self.heap.set_field(reference, known.next, next.into());
        self.heap.set_field(reference, known.queue, enqueued);
        self.heap.set_field(queue, known.queue_head, reference.into());
        if let Value::Long(length) = self.heap.field(queue, known.queue_length) {
            self.heap.set_field(queue, known.queue_length, Value::Long(length + 1));
        }
    }
}
