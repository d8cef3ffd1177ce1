//! The hairstyle.

use crate::{
    choice, param,
    param::{Kind, Ramp},
    params,
};

/// A strand has no more vertices.
pub(super) const MOST_VERTICES: u32 = 512;

choice! {
    /// Which way a helix turns.
    pub enum Handedness {
        /// Each strand by a coin.
        Mixed = "mixed",
        /// All to the left.
        Left = "left",
        /// All to the right.
        Right = "right",
    }
}

choice! {
    /// How hair is bound.
    pub enum TieStyle {
        /// It falls freely.
        None = "none",
        /// Tied at one place; a tail falls from there.
        Ponytail = "ponytail",
        /// Tied, and plaited of three locks from there on.
        Braid = "braid",
        /// Tied, and wound up on the head around the tie.
        Bun = "bun",
    }
}

params! {
    /// The hairstyle: a helix around a path that leaves the scalp and falls.
    pub struct GroomParams: "groom" {
        /// Vertices of each strand, root and tip included.
        vertices: u32 = 64u32, param::int(4, MOST_VERTICES as i64), "", "Vertices per strand";
        /// Length of the strand's path, before it is wound into a curl; what hangs lower than "Cut level at" is cut off.
        length: f32 = 0.22, param::log_float(0.005, 1.5), "m", "Length";
        /// Hair is cut level so far below the crown; 0 leaves it as long as it is.
        trim: f32 = 0.0, param::float(0.0, 1.0), "m", "Cut level at";
        /// Length of the hair at the front that falls over the forehead, where it is cut level; 0 combs it off the face.
        fringe: f32 = 0.0, param::float(0.0, 0.3), "m", "Fringe";
        /// How much shorter hair is on the crown than at the lowest roots, as a share of the length.
        layers: f32 = 0.0, param::float(0.0, 0.9), "", "Layers";
        /// How much shorter hair is at the lowest roots than on the crown, as a share of the length: short sides and nape.
        taper: f32 = 0.0, param::float(0.0, 0.95), "", "Taper";
        /// How much shorter hair is beside the face than behind the ears, as a share of the length.
        face_framing: f32 = 0.0, param::float(0.0, 0.9), "", "Face framing";
        /// How far hair on top and a fringe are combed forward and to one side: 1 to the head's left, -1 to its right, 0 away from the parting.
        sweep: f32 = 0.0, param::float(-1.0, 1.0), "", "Sweep";
        /// How far tips turn outwards, away from the head.
        flick: f32 = 0.0, param::float(0.0, 1.0), "", "Flick";
        /// Random share by which lengths differ, plus and minus.
        length_spread: f32 = 0.15, param::float(0.0, 0.9), "", "Length spread";
        /// Radius of the curl; zero is hair without curls, whose frizz stays.
        curl_radius: f32 = 0.008, param::float(0.0, 0.05), "m", "Curl radius";
        /// Distance along the strand in which a curl goes round once.
        curl_pitch: f32 = 0.034, param::log_float(0.003, 0.3), "m", "Curl pitch";
        /// Random share by which radius and pitch differ, plus and minus.
        curl_spread: f32 = 0.25, param::float(0.0, 0.9), "", "Curl spread";
        /// Where along the strand the curl has reached its full radius.
        curl_start: f32 = 0.2, param::float(0.0, 1.0), "", "Curl start";
        /// 0: neighbours curl together in locks; 1: every strand has its own phase.
        phase_spread: f32 = 0.25, param::float(0.0, 1.0), "", "Phase spread";
        /// How wide the curl is from root to tip, as a share of its radius.
        curl_ramp: Ramp = Ramp::level(1.0), param::ramp(0.0, 2.0), "", "Curl along";
        /// Which way the curls turn.
        handedness: Handedness = Handedness::Mixed, Kind::Choice(Handedness::NAMES), "", "Handedness";
        /// Number of locks that strands gather into; 0 leaves every strand alone.
        locks: u32 = 280u32, param::int(0, 5000), "", "Locks";
        /// How closely the strands of a lock keep to its middle.
        clump: f32 = 0.85, param::float(0.0, 1.0), "", "Clump";
        /// Radius of a lock.
        lock_width: f32 = 0.0045, param::float(0.0, 0.03), "m", "Lock radius";
        /// How much locks differ: in size and length, in how their waves run, and in how they part towards their tips into smaller ones that cross; some strands keep to none.
        lock_spread: f32 = 0.0, param::float(0.0, 1.0), "", "Lock spread";
        /// How high the outermost hair lies over the scalp.
        volume: f32 = 0.014, param::float(0.0, 0.2), "m", "Volume";
        /// How strongly the rest shape bends from the scalp's normal towards the ground.
        droop: f32 = 0.75, param::float(0.0, 1.0), "", "Droop";
        /// How closely hair follows the head as it falls and turns in below it; 0 lets it stand off to the sides.
        sleek: f32 = 0.0, param::float(0.0, 1.0), "", "Sleek";
        /// Combs hair to one place at the back of the head and binds it there; what is too short to reach it hangs loose. It is held by the head at the tie, a bun all over.
        tie: TieStyle = TieStyle::None, Kind::Choice(TieStyle::NAMES), "", "Tie";
        /// How much of the hair is tied, from the crown down: 1 all of it, 0.5 the upper half (half-up); the rest hangs loose.
        tie_share: f32 = 1.0, param::float(0.05, 1.0), "", "Share that is tied";
        /// How high it is tied, seen from the middle of the scalp: 0 straight behind it, 90 on top.
        tie_height: f32 = 20.0, param::float(-40.0, 90.0), "°", "Tie height";
        /// Radius of the tie, as a share of how far the scalp reaches from its middle.
        tie_width: f32 = 0.13, param::float(0.03, 0.4), "", "Tie radius";
        /// Small random waves on top of the curl, as a share of the length.
        frizz: f32 = 0.006, param::float(0.0, 0.1), "", "Frizz";
        /// Random share by which curl start, clump, volume, droop and frizz differ from strand to strand, plus and minus.
        style_spread: f32 = 0.0, param::float(0.0, 0.9), "", "Style spread";
        /// How stiff hair is from root to tip, as a share of what its method says: how well it keeps its shape.
        stiffness_ramp: Ramp = Ramp::level(1.0), param::ramp(0.0, 2.0), "", "Stiffness along";
        /// Random share by which the strands' stiffnesses differ, plus and minus.
        stiffness_spread: f32 = 0.0, param::float(0.0, 0.9), "", "Stiffness spread";
        /// Random share by which the strands' masses differ: lighter ones fly more.
        mass_spread: f32 = 0.3, param::float(0.0, 0.9), "", "Mass spread";
    }
}

impl GroomParams {
    /// Whether strands have the same shape by both, but for how long they are.
    pub fn shapes_like(&self, other: &Self) -> bool {
        *self
            == Self {
                length: self.length,
                mass_spread: self.mass_spread,
                stiffness_spread: self.stiffness_spread,
                stiffness_ramp: self.stiffness_ramp,
                ..other.clone()
            }
    }
}
