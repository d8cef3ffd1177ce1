//! What of a method the bench measures.

use crate::sim::{CollisionMode, MotionPreset, SimParams, method_params::MethodParams};

/// What of a method the bench measures.
#[derive(Clone, Copy, Debug)]
pub struct BenchPlan {
    /// The hair it is measured on.
    pub sizes: &'static [BenchSize],
    /// How that hair is moved.
    pub cases: &'static [BenchCase],
    /// Whether it is also measured with each instruction set, with few and with
    /// many strands, and by the memory that it takes.
    pub deep: bool,
}

/// A head of hair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BenchSize {
    /// Number of strands.
    pub strands: usize,
    /// Vertices of each.
    pub vertices: usize,
    /// Substeps of a step.
    pub substeps: u32,
    /// Whether a quick bench leaves it out.
    pub slow: bool,
}

/// A way in which hair is moved while its steps are timed.
#[derive(Clone, Copy, Debug)]
pub struct BenchCase {
    /// What it is called in tables, after the method's id.
    pub name: &'static str,
    /// Sets it up. Before it, everything is at its defaults but hair against hair,
    /// which is off, and the head, which is met by its grid.
    pub set: fn(&mut SimParams),
    /// Simulated time before the clock starts, in a quick bench no more than
    /// [`QUICK_SETTLING`], but where hair must have come to `rest`. `[s]`
    pub settling: f64,
    /// Whether the hair must be at rest when the clock starts.
    pub rest: bool,
    /// Whether whole shakes of the head are timed, by their mean step.
    pub shaken: bool,
    /// Vertices beyond which it is left out, for it takes too long.
    pub most: usize,
    /// Whether a quick bench leaves it out.
    pub slow: bool,
}

/// For so long hair settles in a quick bench. `[s]`
pub const QUICK_SETTLING: f64 = 0.25;

/// How often the head is shaken. `[Hz]`
pub const SHAKES: f32 = 3.0;

fn at_rest(params: &mut SimParams) {
    params.motion.preset = MotionPreset::None;
}

impl BenchCase {
    /// Default settings.
    pub const DEFAULT: Self = Self {
        name: "default settings",
        set: |_| (),
        settling: 0.5,
        rest: false,
        shaken: false,
        most: usize::MAX,
        slow: false,
    };
    /// The same in wind.
    pub const WIND: Self = Self {
        name: "default settings, wind",
        set: |params| params.wind.on = true,
        ..Self::DEFAULT
    };
    /// The same with one substep a step, as the sources of some have it for many
    /// strands.
    pub const SINGLE: Self = Self {
        name: "one substep a step",
        set: |params| params.step.set_substeps(1),
        ..Self::DEFAULT
    };
    /// Nothing to touch, head at rest.
    pub const FREE: Self = Self {
        name: "contact off",
        set: |params| {
            at_rest(params);
            params.collision.mode = CollisionMode::Off;
        },
        settling: 0.0,
        ..Self::DEFAULT
    };
    /// Hair at rest on a head at rest.
    pub const CONTACT: Self = Self {
        name: "contact, settled",
        set: at_rest,
        settling: 2.0,
        ..Self::DEFAULT
    };
    /// Without what holds the groom up, hair lies down on the head.
    pub const LYING: Self = Self {
        name: "contact, settled, hair lying on the head",
        set: |params| {
            at_rest(params);
            let methods: &mut MethodParams = &mut params.methods;
            methods.set_all("sag_free", &crate::param::Value::Bool(false));
        },
        // Rods with hardly any inner damping swing for seconds before they lie.
        settling: 10.0,
        rest: true,
        ..Self::CONTACT
    };
    /// A head that is shaken hard.
    pub const SHAKEN: Self = Self {
        name: "contact, head shaken",
        set: |params| {
            params.motion.preset = MotionPreset::Shake;
            params.motion.amplitude = 60.0;
            params.motion.frequency = SHAKES;
        },
        settling: 0.34,
        shaken: true,
        ..Self::DEFAULT
    };
}

/// Sizes and cases for a method whose steps are short.
pub const QUICK_STEPS: BenchPlan = BenchPlan {
    sizes: &[
        size(500, 30, 4),
        size(5_000, 32, 4),
        BenchSize {
            slow: true,
            ..size(100_000, 32, 4)
        },
    ],
    cases: &[BenchCase::DEFAULT, BenchCase::WIND, BenchCase::SINGLE],
    deep: false,
};

/// Hair that every bench measures.
pub const fn size(strands: usize, vertices: usize, substeps: u32) -> BenchSize {
    BenchSize {
        strands,
        vertices,
        substeps,
        slow: false,
    }
}
