//! Keys in order with the mouse.
//!
//! What the mouse does in the panel is taken in when the next frame is laid out. A
//! key that acted at once would come before it: an undo right after a drag would
//! take back what was done before the drag's last movement, which then follows.

use crate::{project::sides::Side, ui::command::Command};
use std::collections::VecDeque;

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
pub(super) struct KeyQueue(VecDeque<QueuedKey>);

impl KeyQueue {
    /// A key was pressed after so many events.
    pub fn push(&mut self, arrived: u64, command: Command, pointed: Option<Side>) {
        self.0.push_back(QueuedKey {
            arrived,
            command,
            pointed,
        });
    }

    /// The next key that waits for nothing more, once that many events are taken in.
    pub fn next(&mut self, taken: u64) -> Option<QueuedKey> {
        self.0.pop_front_if(|key| key.arrived <= taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
