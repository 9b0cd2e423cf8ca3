//! Which calls did threads make at once, how did they end, and why does no order of them explain that?

use serde::{Deserialize, Serialize};

/// The calls of several threads on one object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConcurrentCalls {
    /// The calls of each thread in its order.
    pub threads: Vec<Vec<ConcurrentCall>>,
    /// Every order that could explain them, and why it does not.
    pub orders: Vec<RefutedOrder>,
}

/// One call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConcurrentCall {
    /// `push(3)`
    pub call: String,
    /// How it ended.
    pub end: CallEnd,
}

/// How a call ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CallEnd {
    /// It returned this value; nothing if it is void.
    Returned(Option<String>),
    /// It threw an exception of this class.
    Threw(String),
    /// It waits for ever.
    Waits,
}

/// An order of the calls, one after the other, that does not explain what the threads saw.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RefutedOrder {
    /// The calls in this order.
    pub calls: Vec<String>,
    /// The first difference.
    pub why: OrderMismatch,
}

/// How a run of calls in an order differs from that of the threads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum OrderMismatch {
    /// A call ends in another way.
    Ends {
        /// The call.
        call: String,
        /// How it ends in this order.
        end: CallEnd,
    },
    /// Each call ends alike, but a result is the same object as another one in only one of the runs.
    Identity {
        /// The call of the later result.
        call: String,
    },
    /// The heap is another one afterwards.
    Heap {
        /// The first place that differs: `this.top.next`.
        place: String,
    },
    /// The heap is another one afterwards, and a further call returns something else.
    Later {
        /// The call that tells the two apart.
        call: String,
    },
}
