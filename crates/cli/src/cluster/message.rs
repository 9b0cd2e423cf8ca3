//! How are tasks and answers written as entries of streams?

use std::time::Duration;

use lazuli_explore::{PieceReport, PieceTask};
use lazuli_heapsat::{PieceEnd, PieceId, PieceLimit};
use lazuli_logic::sat::Literal;

/// The fields of an entry.
pub(super) type Fields = Vec<(String, Vec<u8>)>;

/// An entry of the stream of answers.
pub(super) enum ClusterAnswer {
    Report(PieceReport),
    Split(PieceId, Vec<PieceId>),
}

pub(super) fn field<'a>(fields: &'a Fields, name: &str) -> Option<&'a str> {
    let (_, value) = fields.iter().find(|(known, _)| known == name)?;
    std::str::from_utf8(value).ok()
}

/// The words of a task, for `XADD`.
pub(super) fn task_words(task: &PieceTask) -> Vec<String> {
    let assumed: Vec<String> = task.assumed.iter().map(|literal| literal.number().to_string()).collect();
    let limit = match task.limit {
        PieceLimit::None => "none".to_string(),
        PieceLimit::Time(time) => format!("{}ms", time.as_millis()),
        PieceLimit::Conflicts(most) => most.to_string(),
    };
    ["piece", &task.piece.to_string(), "assumed", &assumed.join(" "), "limit", &limit].map(str::to_string).to_vec()
}

pub(super) fn read_task(fields: &Fields) -> Option<PieceTask> {
    let piece = field(fields, "piece")?.parse().ok()?;
    let literal = |number: &str| number.parse().ok().and_then(Literal::from_number);
    let assumed = field(fields, "assumed")?.split_whitespace().map(literal).collect::<Option<Vec<Literal>>>()?;
    let limit = match field(fields, "limit")? {
        "none" => PieceLimit::None,
        limit => match limit.strip_suffix("ms") {
            Some(time) => PieceLimit::Time(Duration::from_millis(time.parse().ok()?)),
            None => PieceLimit::Conflicts(limit.parse().ok()?),
        },
    };
    Some(PieceTask { piece, assumed, limit })
}

pub(super) fn answer_words(report: &PieceReport) -> Vec<String> {
    let (end, inputs) = match &report.end {
        PieceEnd::Empty => ("empty", String::new()),
        PieceEnd::Refuted => ("refuted", String::new()),
        PieceEnd::Undecided => ("undecided", String::new()),
        PieceEnd::Violated(inputs) => {
            ("violated", inputs.iter().map(|is_true| if *is_true { '1' } else { '0' }).collect())
        }
    };
    let (piece, took) = (report.piece.to_string(), report.took.as_micros().to_string());
    let words = ["piece", &piece, "end", end, "inputs", &inputs, "took", &took, "worker", &report.worker];
    words.map(str::to_string).to_vec()
}

pub(super) fn split_words(piece: &PieceId, into: &[PieceId]) -> Vec<String> {
    let into: Vec<String> = into.iter().map(PieceId::to_string).collect();
    ["piece", &piece.to_string(), "into", &into.join(" ")].map(str::to_string).to_vec()
}

pub(super) fn read_answer(fields: &Fields) -> Option<ClusterAnswer> {
    let piece: PieceId = field(fields, "piece")?.parse().ok()?;
    if let Some(into) = field(fields, "into") {
        let into = into.split_whitespace().map(|piece| piece.parse().ok()).collect::<Option<Vec<PieceId>>>()?;
        return Some(ClusterAnswer::Split(piece, into));
    }
    let end = match field(fields, "end")? {
        "empty" => PieceEnd::Empty,
        "refuted" => PieceEnd::Refuted,
        "undecided" => PieceEnd::Undecided,
        "violated" => PieceEnd::Violated(field(fields, "inputs")?.chars().map(|digit| digit == '1').collect()),
        _ => return None,
    };
    let took = Duration::from_micros(field(fields, "took")?.parse().ok()?);
    Some(ClusterAnswer::Report(PieceReport { piece, end, took, worker: field(fields, "worker")?.to_string() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(words: Vec<String>) -> Fields {
        words.chunks(2).map(|pair| (pair[0].clone(), pair[1].clone().into_bytes())).collect()
    }

    #[test]
    fn tasks_and_answers_come_back() {
        let assumed = [3, -7].into_iter().filter_map(Literal::from_number).collect::<Vec<_>>();
        for limit in [PieceLimit::None, PieceLimit::Time(Duration::from_secs(2)), PieceLimit::Conflicts(9)] {
            let task = PieceTask { piece: PieceId(vec![1, 0]), assumed: assumed.clone(), limit };
            let again = read_task(&fields(task_words(&task))).unwrap();
            assert_eq!((again.piece, again.assumed, again.limit), (task.piece, task.assumed, task.limit));
        }
        for end in [PieceEnd::Empty, PieceEnd::Refuted, PieceEnd::Undecided, PieceEnd::Violated(vec![true, false])] {
            let worker = "w".to_string();
            let report = PieceReport { piece: PieceId::default(), end, took: Duration::from_micros(5), worker };
            let Some(ClusterAnswer::Report(again)) = read_answer(&fields(answer_words(&report))) else {
                panic!("no report")
            };
            assert_eq!((again.piece, again.end, again.took), (report.piece, report.end, report.took));
        }
        let Some(ClusterAnswer::Split(piece, into)) =
            read_answer(&fields(split_words(&PieceId::default(), &[PieceId(vec![0]), PieceId(vec![1])])))
        else {
            panic!("no split")
        };
        assert_eq!((piece, into.len()), (PieceId::default(), 2));
        assert!(read_answer(&fields(vec!["piece".into(), "x".into()])).is_none());
    }
}
