//! Parameters of what a person works with: the hand and its brushes, the slice
//! through the hair, and the last seconds to go back to. A scene keeps them; those of the hand
//! are taken from it by a program that starts with it, and by no other.

use crate::{
    choice,
    mesh::{RootParams, growth::PaintedQuantity},
    param::{self, Kind},
    params,
    sim::volume::SlicePlane,
};

choice! {
    /// What of the hair the brush on the head changes.
    pub enum Paints {
        /// How densely it grows.
        Density = "density",
        /// How long it is.
        Length = "length",
        /// How wide its curls are.
        Curl = "curl",
        /// How stiff it is.
        Stiffness = "stiffness",
    }
}

impl Paints {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Density, Self::Length, Self::Curl, Self::Stiffness];

    /// Where it is written down.
    pub fn key(self) -> &'static str {
        match self {
            Self::Density => "roots.painted",
            Self::Length => "roots.painted_length",
            Self::Curl => "roots.painted_curl",
            Self::Stiffness => "roots.painted_stiffness",
        }
    }

    /// What was painted of it.
    pub fn of(self, roots: &RootParams) -> &str {
        match self {
            Self::Density => &roots.painted,
            Self::Length => &roots.painted_length,
            Self::Curl => &roots.painted_curl,
            Self::Stiffness => &roots.painted_stiffness,
        }
    }

    /// The map of it; empty for none.
    pub fn map(self, roots: &RootParams) -> &str {
        match self {
            Self::Density => &roots.density_map,
            Self::Length => &roots.length_map,
            Self::Curl => &roots.curl_map,
            Self::Stiffness => &roots.stiffness_map,
        }
    }

    /// The same as the head knows it.
    pub fn quality(self) -> PaintedQuantity {
        match self {
            Self::Density => PaintedQuantity::Density,
            Self::Length => PaintedQuantity::Length,
            Self::Curl => PaintedQuantity::Curl,
            Self::Stiffness => PaintedQuantity::Stiffness,
        }
    }

    /// What was painted of it, to be changed.
    pub fn of_mut(self, roots: &mut RootParams) -> &mut String {
        match self {
            Self::Density => &mut roots.painted,
            Self::Length => &mut roots.painted_length,
            Self::Curl => &mut roots.painted_curl,
            Self::Stiffness => &mut roots.painted_stiffness,
        }
    }
}

/// Whether a section is about the tools of whoever works, and not about hair or picture:
/// its changes are neither work to save nor undone among strokes, and it stays as it is
/// when another scene is opened.
pub fn belongs_to_hand(section: &str) -> bool {
    section == crate::param::Params::section(&HandParams::default())
}

params! {
    /// How the hand works on the hair.
    pub struct HandParams: "hand" {
        /// How far around the cursor the hand, the comb, the scissors and the brushes reach.
        radius: f32 = 0.03, param::log_float(0.001, 0.2), "m", "Reach";
        /// Whether the hand pulls all strands within its reach, those near its rim less; off, one strand alone.
        lock: bool = true, Kind::Bool, "", "Pull a lock";
        /// Share of the comb's way that hair in its middle goes along.
        comb: f32 = 0.7, param::float(0.05, 1.0), "", "Comb strength";
        /// How far a touch of the smoothing brush takes hair in its middle towards the mean of its neighbours, without kinks; curls stay.
        smooth: f32 = 0.5, param::float(0.05, 1.0), "", "Smooth strength";
        /// How much of the curl the smoothing brush takes out as well, as a share of its strength; 0 leaves curls as they are.
        smooth_curls: f32 = 0.0, param::float(0.0, 1.0), "", "Smooth curls";
        /// How unevenly scissors cut: each strand keeps a part of what lies behind the cut that chance has drawn for it, at 100 % up to 5 cm, at 0 % nothing.
        ragged: f32 = 0.0, param::float(0.0, 100.0), "%", "Raggedness";
        /// How much longer the growing brush makes hair in its middle, in a touch or on a way of 0.7 times its reach; less than 0 makes it shorter.
        grow: f32 = 0.005, param::float(-0.1, 0.1), "m", "Growth";
        /// How far the lifting brush takes hair in its middle off the skin, in a touch or on a way of 0.7 times its reach; less than 0 lays it down.
        lift: f32 = 0.003, param::float(-0.05, 0.05), "m", "Lift";
        /// What the brush on the head changes: how densely hair grows, how long it is, how wide its curls are, or how stiff it is.
        paints: Paints = Paints::Density, Kind::Choice(Paints::NAMES), "", "Brush paints";
        /// How much a touch of that brush changes, in its middle.
        density: f32 = 0.5, param::float(0.05, 1.0), "", "Brush strength";
        /// Share of the reach within which that brush has its full strength.
        hardness: f32 = 0.4, param::float(0.0, 1.0), "", "Brush hardness";
        /// Whether hand, comb, scissors and brushes work on the other side of the head as well, mirrored at its middle.
        mirror: bool = false, Kind::Bool, "", "Both sides";
    }
}

choice! {
    /// The direction that a cut is square to, on the head.
    pub enum SliceAxis {
        /// From ear to ear.
        Side = "side",
        /// Upwards.
        Height = "height",
        /// Forwards.
        Depth = "depth",
    }
}

params! {
    /// A cut through the hair.
    pub struct SliceParams: "slice" {
        /// Whether the picture shows a cut through the density and the motion of the hair, as hair against hair has them.
        on: bool = false, Kind::Bool, "", "Show a slice";
        /// What the slice is square to: from ear to ear, height, or depth.
        axis: SliceAxis = SliceAxis::Depth, Kind::Choice(SliceAxis::NAMES), "", "Across";
        /// Where it cuts, from the head's middle.
        place: f32 = 0.0, param::float(-0.5, 0.5), "m", "Place";
        /// How much of the picture the slice hides.
        opacity: f32 = 0.75, param::float(0.0, 1.0), "", "Opacity";
        /// How far an arrow reaches for a speed of 1 m/s relative to the head; 0 shows none.
        arrows: f32 = 0.05, param::float(0.0, 0.5), "m", "Arrows";
    }
}

choice! {
    /// What strands are coloured by.
    pub enum StrandQuantity {
        /// Nothing.
        Nothing = "nothing",
        /// How many times stiffer than its material a joint is made so that the hairstyle
        /// holds.
        Hold = "hold",
        /// How much longer or shorter a segment is than at rest.
        Length = "length",
    }
}

params! {
    /// What the picture shows along strands.
    pub struct StrandColourParams: "colours" {
        /// What the picture shows in colours along strands: nothing, the groom hold (how many times stiffer than their material joints are made so that the hairstyle holds; only rods hold), or the change of length of their segments.
        show: StrandQuantity = StrandQuantity::Nothing, Kind::Choice(StrandQuantity::NAMES), "", "Show";
    }
}

impl SliceParams {
    /// The cut that is wanted.
    pub fn cut(&self) -> Option<SlicePlane> {
        let axis = match self.axis {
            SliceAxis::Side => 0,
            SliceAxis::Height => 1,
            SliceAxis::Depth => 2,
        };
        self.on.then_some(SlicePlane {
            axis,
            place: self.place,
        })
    }
}

params! {
    /// What can be gone back to in the window.
    pub struct RewindParams: "rewind" {
        /// Simulated time that can be gone back by; 0 keeps nothing.
        seconds: f32 = 10.0, param::float(0.0, 120.0), "s", "Seconds to rewind";
        /// Memory that may be taken for it; heavy scenes keep less time.
        memory: u32 = 512u32, param::int(16, 65_536), "MB", "Memory to rewind";
    }
}
