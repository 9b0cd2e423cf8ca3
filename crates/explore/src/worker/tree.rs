//! What did each path choose, in words? The exploration as a tree, for readers.

use std::rc::Rc;
use std::sync::Arc;

use lazuli_reach::call_sequence::RecipeStep;
use lazuli_vm::outcome::{Answer, Question};

use crate::path::Path;
use crate::report::picture::Artist;
use crate::report::{Choice, Ending, Leaf, Trace};
use crate::worker::Worker;

impl Worker<'_> {
    /// Writes down an answer, if the tree is wanted. The path is the one before it.
    pub(crate) fn note_choice(&mut self, path: &mut Path, question: &Question, answer: &Answer) {
        if self.config.report.tree == 0 {
            return;
        }
        let choice = Choice { what: self.in_words(path, question, answer), at: self.vm.describe_position(path) };
        Rc::make_mut(&mut path.choices).push(Arc::new(choice));
    }

    /// Remembers where a path led.
    pub(crate) fn remember(&mut self, path: &Path, ending: &Ending, trace: &Trace) {
        self.summary.remember(trace, self.config.report.tree, || Leaf {
            choices: path.choices.to_vec(),
            ending: ending.clone(),
            is_fault: false,
        });
    }

    fn in_words(&mut self, path: &Path, question: &Question, answer: &Answer) -> String {
        if let Answer::Assume(term) = answer {
            return Artist::new(&self.vm, path).expression(*term).to_string();
        }
        let input = |object| path.symbols.input(object).map(|input| input.name.to_string());
        let asked = match question {
            Question::Read { place, .. } => self.vm.name_of_place(path, *place),
            Question::Deref(id) | Question::Null(id) => path.symbols.unknown(*id).name.to_string(),
            Question::Class { object, .. } => input(*object).unwrap_or_else(|| "an input".to_string()),
            Question::Branch(_) | Question::Cases(_) | Question::Length { .. } => "the condition".to_string(),
            Question::Choose(_) => "the input".to_string(),
            Question::Schedule { is_wake, .. } => if *is_wake { "woken" } else { "next" }.to_string(),
        };
        match answer {
            Answer::Null => format!("{asked} is null"),
            Answer::NotNull | Answer::Defer { may_be_null: false } => format!("{asked} is not null"),
            Answer::Defer { may_be_null: true } => format!("{asked} is not decided yet"),
            Answer::Fresh => format!("{asked} is another object"),
            Answer::Build { recipe, size } => {
                let simple = recipe.class.rsplit('/').next().unwrap_or(recipe.class);
                format!("{asked} is another {simple} with {size} elements")
            }
            Answer::Alias(object) => {
                let known = input(*object);
                format!("{asked} is {}", known.unwrap_or_else(|| "an object that was there before".to_string()))
            }
            Answer::Narrow(class) => format!("{asked} is a {}", class.java_name()),
            Answer::Choose(way) => match path.sequence.as_ref().and_then(|sequence| sequence.offered.get(*way)) {
                Some(RecipeStep::Null) => format!("{asked} is null"),
                Some(RecipeStep::Same(_)) => format!("{asked} is an object that was made before"),
                Some(RecipeStep::New(constructor)) => format!("new {}", constructor.class().java_name()),
                Some(RecipeStep::Call(method)) => format!("{} is called", method.name),
                Some(RecipeStep::Done) => format!("{asked} is made"),
                None => asked,
            },
            Answer::Assume(_) => asked,
            Answer::Run(number) => format!("{asked}: {}", path.thread_name(*number)),
        }
    }
}
