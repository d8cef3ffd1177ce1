//! Keys in order with the mouse.
//!
//! What the mouse does in the panel is taken in when the next frame is laid out. A
//! key that acted at once would come before it: an undo right after a drag would
//! take back what was done before the drag's last movement, which then follows.

use crate::{project::sides::Side, ui::command::Command};
use std::collections::VecDeque;

/// A key that waits for the frame.
pub(super) struct Press {
    /// So many events have arrived before it, since the start.
    arrived: u64,
    /// What it does.
    pub command: Command,
    /// The side that was under the cursor.
    pub pointed: Option<Side>,
}

/// Keys that wait for what the mouse did before them, first come first.
#[derive(Default)]
pub(super) struct Presses(VecDeque<Press>);

impl Presses {
    /// A key was pressed after so many events.
    pub fn push(&mut self, arrived: u64, command: Command, pointed: Option<Side>) {
        self.0.push_back(Press {
            arrived,
            command,
            pointed,
        });
    }

    /// The next key that waits for nothing more, once that many events are taken in.
    pub fn next(&mut self, taken: u64) -> Option<Press> {
        self.0.pop_front_if(|press| press.arrived <= taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_waits_for_the_events_before_it_and_for_no_other() {
        let mut presses = Presses::default();
        presses.push(3, Command::Undo, Some(Side::A));
        presses.push(3, Command::Redo, None);
        presses.push(5, Command::Pause, None);
        assert!(presses.next(2).is_none());
        let first = presses.next(3).expect("its events are taken in");
        assert_eq!(
            (first.command, first.pointed),
            (Command::Undo, Some(Side::A))
        );
        let second = presses.next(4).map(|press| press.command);
        assert_eq!(second, Some(Command::Redo));
        assert!(presses.next(4).is_none());
        let last = presses.next(u64::MAX).map(|press| press.command);
        assert_eq!(last, Some(Command::Pause));
    }
}
