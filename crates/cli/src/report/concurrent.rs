//! How are the calls shown that several threads made on one object? In columns by thread, and then each order with what speaks against it.

use lazuli_explore::{CallEnd, ConcurrentCalls, OrderMismatch};

/// The calls of the threads in columns.
pub(super) fn table(calls: &ConcurrentCalls) -> Vec<String> {
    let column = |(number, calls): (usize, &Vec<lazuli_explore::ConcurrentCall>)| {
        let mut cells = vec![format!("thread {}", number + 1)];
        cells.extend(calls.iter().map(|call| format!("{}{}", call.call, arrow(&call.end))));
        cells
    };
    let columns: Vec<Vec<String>> = calls.threads.iter().enumerate().map(column).collect();
    let rows = columns.iter().map(Vec::len).max().unwrap_or(0);
    let cell = |column: &Vec<String>, row: usize| {
        let width = column.iter().map(|cell| cell.chars().count()).max().unwrap_or(0);
        format!("{:width$}", column.get(row).map_or("", String::as_str))
    };
    let row = |row: usize| {
        let cells: Vec<String> = columns.iter().map(|column| cell(column, row)).collect();
        cells.join("  ").trim_end().to_string()
    };
    (0..rows).map(row).collect()
}

/// Each order, and why it does not explain the calls.
pub(super) fn orders(calls: &ConcurrentCalls) -> Vec<String> {
    let told = calls.orders.iter().map(|order| format!("{}: {}", order.calls.join("; "), mismatch(&order.why)));
    told.collect()
}

fn arrow(end: &CallEnd) -> String {
    match end {
        CallEnd::Returned(None) => String::new(),
        CallEnd::Returned(Some(value)) => format!(" = {value}"),
        other => format!(" {}", self::end(other)),
    }
}

/// How a call ended, in a few words.
pub(super) fn end(end: &CallEnd) -> String {
    match end {
        CallEnd::Returned(None) => "returns".to_string(),
        CallEnd::Returned(Some(value)) => format!("returns {value}"),
        CallEnd::Threw(class) => format!("throws {class}"),
        CallEnd::Waits => "waits for ever".to_string(),
    }
}

/// The difference that speaks against an order.
pub(super) fn mismatch(why: &OrderMismatch) -> String {
    match why {
        OrderMismatch::Ends { call, end } => format!("there {call} {}", self::end(end)),
        OrderMismatch::Identity { call } => {
            format!("each call ends alike, but whether {call} returns the same object as another call differs")
        }
        OrderMismatch::Heap { place } => format!("the calls end alike, but leave another heap: {place} differs"),
        OrderMismatch::Later { call } => {
            format!("the calls end alike, but leave another heap: {call} tells them apart")
        }
    }
}
