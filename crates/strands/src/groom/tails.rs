//! How far the strands of tied hair go on behind their tie.

/// Lengths of tails, the shortest first. `[m]`
pub struct Tails(Vec<f32>);

/// Hair gets thinner over this length where strands end. `[m]`
const BLUR: f32 = 0.03;

impl Tails {
    /// Of strands that go on so far. `[m]`
    pub fn new(mut lengths: Vec<f32>) -> Self {
        lengths.sort_unstable_by(f32::total_cmp);
        Self(lengths)
    }

    /// The longest; 0 where there is none. `[m]`
    pub fn longest(&self) -> f32 {
        self.0.last().copied().unwrap_or(0.0)
    }

    /// How far that `share` of them goes on. `[m]`
    pub fn reached_by(&self, share: f32) -> f32 {
        let at = (1.0 - share) * self.0.len() as f32;
        let last = self.0.len().saturating_sub(1);
        self.0.get((at as usize).min(last)).copied().unwrap_or(0.0)
    }

    /// How thick hair is so far behind the tie, as a share of how thick it is there.
    pub fn thickness(&self, s: f32) -> f32 {
        let places = [-1.0, -0.5, 0.0, 0.5, 1.0];
        let count = self.0.len().max(1) as f32;
        let beyond = |at: f32| {
            let ended = self.0.partition_point(|length| *length < at);
            (self.0.len() - ended) as f32 / count
        };
        let sum: f32 = places.iter().map(|k| beyond(s + k * BLUR)).sum();
        (sum / places.len() as f32).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hair_gets_thinner_where_strands_end() {
        let tails = Tails::new((1..=100).map(|i| 0.01 * i as f32).rev().collect());
        assert_eq!(tails.longest(), 1.0);
        assert!((tails.reached_by(0.25) - 0.76).abs() < 0.011);
        assert!((tails.thickness(0.0) - 1.0).abs() < 0.01);
        // A quarter of the strands is half as thick.
        assert!((tails.thickness(0.75) - 0.5).abs() < 0.02);
        assert_eq!(tails.thickness(2.0), 0.0);
        let none = Tails::new(Vec::new());
        assert_eq!((none.longest(), none.reached_by(0.5)), (0.0, 0.0));
    }
}
