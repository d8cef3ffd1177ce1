//! What a method makes of an act, and what is asked of it.

/// Hair is back when its tips are within this of where they were (median). `[m]`
pub const BACK: f64 = 0.010;

/// Fewer tips than this are an anecdote: their act is not measured.
pub const LEAST_TIPS: usize = 8;

/// What one method makes of one act.
#[derive(Clone, Debug, PartialEq)]
pub struct ResponseRow {
    /// The method's id.
    pub solver: &'static str,
    /// The act's id.
    pub act: &'static str,
    /// How many tips count: of all strands, or of those that the act is aimed at.
    pub tips: usize,
    /// How far these tips go: median over the strands. `[m]`
    pub tip_median: f64,
    /// The same, exceeded by a tenth of the strands. `[m]`
    pub tip_p90: f64,
    /// The same, on average. `[m]`
    pub tip_mean: f64,
    /// How long after the act ended the tips are back within [`BACK`] for good;
    /// none where that is not asked or does not happen. `[s]`
    pub settle: Option<f64>,
    /// Share of tips that are off the mean motion of their eight neighbours by
    /// more than [`ASTRAY`](crate::lab::strays::ASTRAY).
    pub lone_strands: f64,
    /// What the act asks of this method.
    pub bound: ResponseBound,
}

impl ResponseRow {
    /// Whether enough tips count for the act to be judged.
    pub fn applies(&self) -> bool {
        self.tips >= LEAST_TIPS
    }

    /// Whether the hair answers as the act asks; an act that is not measured is not passed.
    pub fn pass(&self) -> bool {
        self.applies() && self.bound.holds(self)
    }

    /// The verdict for people.
    pub fn verdict(&self) -> &'static str {
        match (self.applies(), self.pass()) {
            (false, _) => "not measured",
            (true, true) => "pass",
            (true, false) => "fail",
        }
    }
}

/// What an act asks of the hair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ResponseBound {
    /// The median tip goes at least so far. `[m]`
    AtLeast(f64),
    /// The tips go at least so far on average. `[m]`
    MeanAtLeast(f64),
    /// The median tip is at most so far away. `[m]`
    AtMost(f64),
    /// The median tip goes at least so far, and comes back. `[m]`
    OutAndBack(f64),
}

impl ResponseBound {
    /// Whether `row` is within it.
    pub fn holds(&self, row: &ResponseRow) -> bool {
        match *self {
            Self::AtLeast(least) => row.tip_median >= least,
            Self::MeanAtLeast(least) => row.tip_mean >= least,
            Self::AtMost(most) => row.tip_median <= most,
            Self::OutAndBack(least) => row.tip_median >= least && row.settle.is_some(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_tip_is_no_measurement() {
        let row = |tips| ResponseRow {
            solver: "spring",
            act: "fan",
            tips,
            tip_median: 0.2,
            tip_p90: 0.2,
            tip_mean: 0.2,
            settle: None,
            lone_strands: 0.0,
            bound: ResponseBound::AtLeast(0.06),
        };
        assert_eq!((row(1).pass(), row(1).verdict()), (false, "not measured"));
        assert_eq!((row(8).pass(), row(8).verdict()), (true, "pass"));
        // No tips are no hair that rests.
        let none = ResponseRow {
            tip_median: 0.0,
            bound: ResponseBound::AtMost(0.01),
            ..row(0)
        };
        assert!(!none.pass());
        let short = ResponseRow {
            tip_median: 0.05,
            ..row(9)
        };
        assert_eq!(short.verdict(), "fail");
    }
}
