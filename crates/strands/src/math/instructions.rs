//! The instruction sets that work is compiled for.

/// The instructions a kernel is compiled for. Fused multiply-add is never
/// among them: it rounds differently, and the bits must be the same on all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instructions {
    /// What every processor of this kind has.
    Baseline,
    /// Eight floats at once.
    Avx2,
    /// Sixteen floats at once.
    Avx512,
}

impl Instructions {
    /// All of them, the narrowest first.
    pub const ALL: [Self; 3] = [Self::Baseline, Self::Avx2, Self::Avx512];

    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Baseline => "baseline",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }

    /// These, or the widest that this processor has where that is less.
    pub fn available(self) -> Self {
        match (self as usize) < Self::widest() as usize {
            true => self,
            false => Self::widest(),
        }
    }

    /// The widest that this processor has.
    pub fn widest() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl") {
                return Self::Avx512;
            }
            if is_x86_feature_detected!("avx2") {
                return Self::Avx2;
            }
        }
        Self::Baseline
    }
}
