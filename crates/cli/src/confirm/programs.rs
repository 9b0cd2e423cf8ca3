//! Does a fault of a whole program show on the user's own JVM?
//!
//! The program is started again with the values that the exploration has found: as arguments, on standard input, and from a class `Verifier` that
//! stands before the user's on the class path. Each start has a JVM of its own, because a program may leave anything behind.

use std::time::{Duration, Instant};

use lazuli_console::safe;
use lazuli_explore::{Ending, Report, Violation, WholeProgram};
use lazuli_testgen::java::{ProgramInput, VERIFIER, VERIFIER_SOURCE, whole_replay};
use lazuli_vm::whole::ProgramArguments;

use super::judgement::{Unconfirmed, thrown_line};
use super::jvm::{CompileError, ProcessLimit};
use super::{Confirmation, Confirmer, JvmVerdict, MOST, NOT_WATCHED, not_confirmed};
use crate::report::assumed;

impl Confirmer<'_> {
    /// Confirms the faults of a whole program, one entry for each.
    pub(super) fn confirm_program(
        &mut self,
        end: Instant,
        report: &Report,
        program: &WholeProgram,
        runs: bool,
    ) -> Vec<Confirmation> {
        let opened = if runs { self.open_alone().map_err(|error| error.to_string()) } else { Ok(()) };
        let mut confirmations = vec![Confirmation::default(); report.violations.len()];
        for (confirmation, violation) in confirmations.iter_mut().zip(&report.violations).filter(|_| runs) {
            confirmation.on_jvm = match &opened {
                Ok(()) => self.start_again(end, report, violation, program),
                Err(why) => not_confirmed(why.clone()),
            };
        }
        confirmations
    }

    fn start_again(
        &mut self,
        end: Instant,
        report: &Report,
        violation: &Violation,
        program: &WholeProgram,
    ) -> JvmVerdict {
        if let Ending::Broken(_) = violation.outcome.ending {
            return not_confirmed(NOT_WATCHED.to_string());
        }
        if violation.outcome.schedule.is_some() {
            return not_confirmed("the schedule was not forced".to_string());
        }
        let Some(case) = &violation.outcome.case else {
            return not_confirmed("there is no example of it".to_string());
        };
        let given = match &program.arguments {
            ProgramArguments::Given(given) => given.as_slice(),
            ProgramArguments::Any { .. } => &[],
        };
        let input = match ProgramInput::of(case, given) {
            Ok(input) => input,
            Err(_) => return not_confirmed("the program asks for an object".to_string()),
        };
        if !input.others.is_empty() {
            return not_confirmed(format!("it depends on {}, which no program can choose", input.others.join(", ")));
        }
        let Ending::Threw { class, trace, .. } = &violation.outcome.ending else {
            return not_confirmed("it ends with no exception".to_string());
        };
        self.written += 1;
        let name = format!("LazuliReplay{}", self.written);
        let source = whole_replay(program.class, &input, &name);
        let Some(workshop) = &self.workshop else { return JvmVerdict::NotAsked };
        let left = || end.saturating_duration_since(Instant::now());
        let limit = |most: Duration| ProcessLimit { most: left().min(most), is_over: self.is_interrupted };
        let directory = workshop.directory.path();
        let (package, _) = program.class.name.rsplit_once('/').unwrap_or(("", program.class.name));
        let verifier = directory.join(format!("{}.java", VERIFIER.replace('.', "/")));
        let file = directory.join(package).join(format!("{name}.java"));
        let written =
            [(&file, source.as_str()), (&verifier, VERIFIER_SOURCE)].into_iter().try_for_each(|(file, text)| {
                file.parent().map_or(Ok(()), std::fs::create_dir_all)?;
                safe::replace(file, text.as_bytes())
            });
        if let Err(error) = written {
            return not_confirmed(format!("the program cannot be written: {error}"));
        }
        let compiled = workshop.tools.compile(&self.class_path, directory, &[file.clone(), verifier], &limit(MOST));
        match compiled {
            Ok(()) => {}
            Err(CompileError::NotRun(error)) => return not_confirmed(error.to_string()),
            Err(CompileError::Rejected(complaints)) => {
                return not_confirmed(format!("javac does not accept the program: {}", complaints.trim()));
            }
        }
        let started = match package {
            "" => name.clone(),
            package => format!("{}.{name}", package.replace('/', ".")),
        };
        let expected = [thrown_line(class, trace)];
        let judged = workshop.run_alone(&self.class_path, &name, &started, &expected, &limit(MOST));
        match judged {
            Ok(()) => JvmVerdict::Confirmed { version: workshop.tools.version.clone() },
            Err(Unconfirmed::Unknown(why)) => not_confirmed(why),
            Err(Unconfirmed::Differs(what)) => match assumed(&report.assumptions) {
                Some(assumed) => {
                    not_confirmed(format!("the JVM does otherwise, where this may not be so ({what}). {assumed}"))
                }
                None => JvmVerdict::Differs { what, file: None },
            },
        }
    }
}
