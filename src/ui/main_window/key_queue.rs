//! Keys in order with the mouse.
//!
//! What the mouse does in the panel is taken in when the next frame is laid out. A
//! key that acted at once would come before it: an undo right after a drag would
//! take back what was done before the drag's last movement, which then follows.

use crate::{project::sides::Side, ui::command::Command};
use std::{
    collections::VecDeque,
    time::{Duration, Instant},
};

/// A key that steps on is another step to undo when it was not pressed for so long.
const AGAIN: Duration = Duration::from_secs(1);

/// A key that waits for the frame.
pub(super) struct QueuedKey {
    /// So many events have arrived before it, since the start.
    arrived: u64,
    /// What it does.
    pub command: Command,
    /// The side that was under the cursor.
    pub pointed: Option<Side>,
}

/// Keys that wait for what the mouse did before them, first come first.
#[derive(Default)]
pub(super) struct KeyQueue {
    waiting: VecDeque<QueuedKey>,
    /// When a key that steps on while it is held was pressed last.
    stepped: Option<Instant>,
}

impl KeyQueue {
    /// A key was pressed after so many events.
    pub fn push(&mut self, arrived: u64, command: Command, pointed: Option<Side>) {
        self.waiting.push_back(QueuedKey {
            arrived,
            command,
            pointed,
        });
    }

    /// The next key that waits for nothing more, once that many events are taken in.
    pub fn next(&mut self, taken: u64) -> Option<QueuedKey> {
        self.waiting.pop_front_if(|key| key.arrived <= taken)
    }

    /// Whether a key waits that does this.
    pub fn holds(&self, command: &Command) -> bool {
        self.waiting.iter().any(|key| key.command == *command)
    }

    /// Whether a key that steps on, pressed `now`, is another step to undo. What is pressed
    /// again and again, or held, is undone at once: some systems tell of a key that is held
    /// as of one that goes up and down.
    pub fn steps_anew(&mut self, now: Instant) -> bool {
        let goes_on = self.steps_on(now);
        self.stepped = Some(now);
        !goes_on
    }

    /// Whether such a key was pressed so short a time before `now` that it may go on.
    pub fn steps_on(&self, now: Instant) -> bool {
        let since = |then| now.saturating_duration_since(then);
        self.stepped.is_some_and(|then| since(then) <= AGAIN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_that_is_held_goes_on_and_one_that_was_let_go_begins_anew() {
        let (mut queue, begun) = (KeyQueue::default(), Instant::now());
        let at = |ms: u64| begun + Duration::from_millis(ms);
        let steps = [0, 600, 1500, 2600, 2700].map(|ms| queue.steps_anew(at(ms)));
        assert_eq!(steps, [true, false, false, true, false]);
    }

    #[test]
    fn a_key_waits_for_the_events_before_it_and_for_no_other() {
        let mut queue = KeyQueue::default();
        queue.push(3, Command::Undo, Some(Side::A));
        queue.push(3, Command::Redo, None);
        queue.push(5, Command::Pause, None);
        assert!(queue.next(2).is_none());
        let first = queue.next(3).expect("its events are taken in");
        assert_eq!(
            (first.command, first.pointed),
            (Command::Undo, Some(Side::A))
        );
        let second = queue.next(4).map(|key| key.command);
        assert_eq!(second, Some(Command::Redo));
        assert!(queue.next(4).is_none());
        let last = queue.next(u64::MAX).map(|key| key.command);
        assert_eq!(last, Some(Command::Pause));
    }
}
