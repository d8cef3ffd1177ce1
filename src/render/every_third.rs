//! What swift frames make anew in one of three only.
//!
//! Colours go with their points and shade is soft, so that while camera and lights stand a
//! delay of two frames is not seen. What takes long has a third of its own: made in the
//! same frame, all would make that one stutter.

/// Which of three frames one is, by what it makes anew, or one that makes all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Third {
    /// The light in the hair, and the shade on the floor.
    Shade,
    /// Colours of the strands.
    Strands,
    /// Colours of head, brows and lashes.
    Head,
    /// All of these: what was made shows hair as it was far from here. No third of its own.
    All,
}

impl Third {
    /// That of the next frame; where hair has `leapt` all, but not in two frames in a row:
    /// slow frames would get slower by it.
    pub fn next(self, leapt: bool) -> Self {
        match self {
            Self::Shade | Self::Strands | Self::Head if leapt => Self::All,
            Self::Shade | Self::All => Self::Strands,
            Self::Strands => Self::Head,
            Self::Head => Self::Shade,
        }
    }

    /// Whether this frame makes anew what has the third `what`.
    pub fn makes(self, what: Self) -> bool {
        self == what || self == Self::All
    }
}

/// What something was made for that is made anew in one of three frames.
#[derive(Debug)]
pub(super) struct EveryThird<K> {
    third: Third,
    made_for: Option<K>,
}

impl<K: PartialEq> EveryThird<K> {
    /// Nothing is made yet.
    pub fn new(third: Third) -> Self {
        Self {
            third,
            made_for: None,
        }
    }

    /// Whether what there is serves a frame that asks for `now`: where it may be late, in
    /// another third than its own. Otherwise it counts as made by this frame.
    pub fn serves(&mut self, now: K, late: Option<Third>) -> bool {
        let other = late.is_some_and(|third| !third.makes(self.third));
        let serves = other && self.made_for.as_ref() == Some(&now);
        if !serves {
            self.made_for = late.map(|_| now);
        }
        serves
    }

    /// What there is serves no more.
    pub fn forget(&mut self) {
        self.made_for = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_frame_of_three_makes_it_and_what_is_new_at_once() {
        let mut what = EveryThird::new(Third::Strands);
        let mut third = Third::Head;
        let mut made = |now: u32| {
            third = third.next(false);
            !what.serves(now, Some(third))
        };
        let same = [(); 7].map(|()| made(7));
        assert_eq!(same, [true, true, false, false, true, false, false]);
        // The frame after is its own, the next one is not.
        assert_eq!([(); 3].map(|()| made(8)), [true, false, false]);
        what.forget();
        assert!(!what.serves(8, Some(Third::Head)));
        assert!(what.serves(8, Some(Third::Head)));
        assert!(!what.serves(8, Some(Third::All)), "hair has leapt");
        let mut third = Third::Shade;
        let leaps = [(); 4].map(|()| {
            third = third.next(true);
            third
        });
        assert_eq!(
            leaps,
            [Third::All, Third::Strands, Third::All, Third::Strands]
        );
    }

    #[test]
    fn what_must_not_be_late_is_made_always() {
        let mut what = EveryThird::new(Third::Head);
        assert!((0..4).all(|_| !what.serves(7, None)));
        assert!(
            !what.serves(7, Some(Third::Shade)),
            "made for another kind of frame"
        );
    }
}
