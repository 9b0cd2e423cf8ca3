//! In which order do waits with a time end, where a run honours it?
//!
//! `lazuli run` waits for nothing: when no thread can go on but by time, the clock is put forward to the next end of a wait. Code takes no time by that clock, so
//! that a slow interpreter does not change the order. Explorations do without: there a wait may end at any moment.

use std::time::Duration;

use super::super::Vm;
use crate::state::State;
use crate::threads::ThreadNumber;

impl Vm {
    /// The time since 1970, with that which was not waited for.
    pub(crate) fn now(&mut self) -> Duration {
        self.host.now() + self.waited.unwrap_or_default()
    }

    /// The current thread will go on after that time, if nothing else lets it. It may ask again before it does.
    pub(crate) fn set_alarm(&mut self, state: &mut State, after: Duration) {
        let Some(waited) = &mut self.waited else { return };
        match &mut state.threads {
            None => *waited = waited.saturating_add(after),
            Some(threads) if threads.is_granted || threads.now().alarm.is_some() => {}
            Some(threads) => threads.now_mut().alarm = Some(waited.saturating_add(after)),
        }
    }

    /// Of the threads that can go on, those that can now. If all of them wait for a time, the clock is put forward to the first.
    pub(super) fn in_time(&mut self, state: &State, enabled: Vec<ThreadNumber>) -> Vec<ThreadNumber> {
        let (Some(waited), Some(threads)) = (self.waited, &state.threads) else { return enabled };
        // The end of its wait, if it waits for that.
        let alarm = |number: ThreadNumber| {
            let alarm = threads.all[number as usize].alarm.filter(|alarm| *alarm > waited);
            alarm.filter(|_| !self.is_enabled(state, threads, number, false))
        };
        let able: Vec<ThreadNumber> = enabled.iter().copied().filter(|number| alarm(*number).is_none()).collect();
        if !able.is_empty() {
            return able;
        }
        let first = enabled.iter().filter_map(|number| Some((alarm(*number)?, *number))).min();
        let Some((end, number)) = first else { return enabled };
        self.waited = Some(end);
        vec![number]
    }
}
