//! What swift frames make anew in one of three only.
//!
//! Colours go with their points and shade is soft, so that while camera and lights stand a
//! delay of two frames is not seen. What takes long has a third of its own: made in the
//! same frame, all would make that one stutter.

/// Frames from one to the next.
const FRAMES: u32 = 3;

/// Which of three frames makes something anew.
#[derive(Clone, Copy, Debug)]
pub(super) enum Third {
    /// The one after that which makes the shade in the hair.
    AfterShade,
    /// The one before that.
    BeforeShade,
}

/// What something was made for, and when.
#[derive(Debug)]
pub(super) struct EveryThird<K> {
    third: Third,
    made_for: Option<K>,
    /// Frames that it still serves.
    left: u32,
}

impl<K: PartialEq> EveryThird<K> {
    /// Nothing is made yet.
    pub fn new(third: Third) -> Self {
        Self {
            third,
            made_for: None,
            left: 0,
        }
    }

    /// Whether what there is serves a frame that asks for `now`: only where it may be
    /// `late`. Otherwise it counts as made by this frame.
    pub fn serves(&mut self, now: K, late: bool) -> bool {
        let same = late && self.made_for.as_ref() == Some(&now);
        if same && self.left > 0 {
            self.left -= 1;
            return true;
        }
        self.left = match self.third {
            _ if same => FRAMES - 1,
            // Shade, too, has been made for what is new.
            Third::AfterShade => 0,
            Third::BeforeShade => 1,
        };
        self.made_for = late.then_some(now);
        false
    }

    /// What there is serves no more.
    pub fn forget(&mut self) {
        self.made_for = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The frames of so many that make something anew.
    fn made(what: &mut EveryThird<u32>, frames: std::ops::Range<u32>, now: u32) -> Vec<u32> {
        frames.filter(|_| !what.serves(now, true)).collect()
    }

    #[test]
    fn one_frame_of_three_makes_it_and_not_the_same_for_all() {
        let mut after = EveryThird::new(Third::AfterShade);
        let mut before = EveryThird::new(Third::BeforeShade);
        assert_eq!(made(&mut after, 0..9, 7), [0, 1, 4, 7]);
        assert_eq!(made(&mut before, 0..9, 7), [0, 2, 5, 8]);
        // What is new is made at once.
        assert_eq!(made(&mut after, 9..12, 8), [9, 10]);
        after.forget();
        assert!(!after.serves(8, true));
    }

    #[test]
    fn what_must_not_be_late_is_made_always() {
        let mut what = EveryThird::new(Third::BeforeShade);
        assert!((0..4).all(|_| !what.serves(7, false)));
        assert!(!what.serves(7, true));
    }
}
