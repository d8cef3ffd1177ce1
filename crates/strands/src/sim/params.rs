//! The tunables of the simulation.

use super::{
    collider::Collider,
    keyframes::Keyframes,
    method_params::{MethodParams, MethodSection},
};
use crate::{
    choice,
    mesh::sequence::Play,
    param,
    param::{Kind, Tracks},
    params,
};

choice! {
    /// What strands collide with.
    pub enum CollisionMode {
        /// The grid for many strands, the mesh for few.
        Auto = "auto",
        /// The head's triangles, found through a spatial index.
        Mesh = "mesh",
        /// The head's signed distance grid.
        Grid = "grid",
        /// Nothing of the head; bodies beside it have switches of their own.
        Off = "off",
    }
}

choice! {
    /// How bodies beside the head keep hair out.
    pub enum Response {
        /// Hair is moved out of them: nothing ends inside.
        Projection = "projection",
        /// A spring pushes it out, as the usual hair programs do: soft, and
        /// never quite out.
        Penalty = "penalty",
    }
}

choice! {
    /// What the head does by itself.
    pub enum MotionPreset {
        /// It rests.
        None = "none",
        /// It turns a little from side to side.
        Sway = "sway",
        /// It says yes.
        Nod = "nod",
        /// It says no.
        Shake = "shake",
        /// It leans from shoulder to shoulder.
        Tilt = "tilt",
        /// It turns round and round.
        Spin = "spin",
        /// It leaps up and lands.
        Jump = "jump",
        /// It goes for a walk on the spot.
        Walk = "walk",
        /// It bangs to the beat.
        HeadBang = "head-bang",
        /// It follows the keyframes of the scene.
        Keyframes = "keyframes",
        /// It plays the frames of a sequence of head files.
        Sequence = "sequence",
    }
}

params! {
    /// Method and clock.
    pub struct StepParams: "sim" {
        /// The method that moves the strands: pbd (Position Based Dynamics), ftl (Follow-The-Leader), shape (shape constraints), spring (curly springs), der (Discrete Elastic Rods) or rod (Kirchhoff rod).
        solver: String = "pbd", Kind::Text, "", "Method";
        /// Simulated steps per second; each is cut into equal substeps.
        rate: u32 = 60u32, param::int(24, 240), "1/s", "Step rate";
        /// The longest substep. A step is cut into as few as that takes, so that hair moves alike at any step rate. Shorter substeps make stiffer, livelier hair; below 0.5 ms the rounding of single precision shows.
        substep_ms: f32 = 4.17, param::log_float(0.1, 42.0), "ms", "Longest substep";
        /// Simulated seconds per second of yours: below 1 is slow motion.
        speed: f32 = 1.0, param::float(0.05, 2.0), "", "Speed";
        /// Whether hair that this machine moves too slowly keeps to real time in the window: with fewer substeps, then with steps half as often and what lies between interpolated. Off, it moves in slow motion. Recordings, two sides and commands without a window take the time they need.
        keep_pace: bool = true, Kind::Bool, "", "Keep to real time";
        /// Real time that a step may take in the window; 0 leaves it to "Keep to real time". A step that takes longer is cut into fewer substeps, then steps are made half as often and what lies between is interpolated. Recordings, two sides and commands without a window take the time they need.
        budget: f32 = 0.0, param::float(0.0, 100.0), "ms", "Time budget";
        /// How stiff the hair is, in every method: 0 limp, 0.5 as modelled, 1 wiry. Limp hair sags, unless the modelled shape is kept; wiry hair keeps its shape.
        softness: f32 = 0.5, param::float(0.0, 1.0), "", "Softness to wiriness";
        /// Whether the style as modelled stays at rest however limp the hair is. Off, limper hair sags.
        keep_shape: bool = false, Kind::Bool, "", "Keep modelled shape";
    }
}

/// Below this, what a vertex moves in a substep is so little that the rounding of
/// single precision pushes rods out of their plane. `[ms]`
pub const SHORTEST_SUBSTEP: f32 = 0.5;

/// By how much of itself the longest substep may be exceeded: a third of 1/60 s is
/// written as 5.55 ms as well as 5.56.
const ROUNDED: f64 = 0.02;

impl StepParams {
    /// Substeps of a step.
    pub fn substeps(&self) -> u32 {
        let step = 1e3 / f64::from(self.rate);
        let parts = (step / f64::from(self.substep_ms) - ROUNDED).ceil();
        parts.max(1.0) as u32
    }

    /// Length of a substep. `[ms]`
    pub fn substep(&self) -> f32 {
        1e3 / (self.rate * self.substeps()) as f32
    }

    /// Sets the longest substep so that a step has this many substeps.
    pub fn set_substeps(&mut self, substeps: u32) {
        self.substep_ms = 1e3 / (self.rate * substeps.max(1)) as f32;
    }

    /// Changes the step rate and keeps the number of substeps.
    pub fn scale_to(&mut self, rate: u32) {
        let substeps = self.substeps();
        self.rate = rate;
        self.set_substeps(substeps);
    }
}

params! {
    /// What a hair is made of, for the methods that have a material.
    pub struct MaterialParams: "material" {
        /// Thickness of a hair, by which its stiffness and mass are worked out; 50 to 100 µm is usual. How thick strands look is "Drawn diameter" in Look.
        diameter: f32 = 80.0, param::log_float(15.0, 200.0), "µm", "Fibre diameter";
        /// Long over short axis of a hair's cross-section: about 1.1 in East Asian, 1.35 in European, 1.7 in African hair.
        ellipticity: f32 = 1.0, param::float(1.0, 3.0), "", "Ellipticity";
        /// Mass of a cubic metre of hair.
        density: f32 = 1320.0, param::float(500.0, 3000.0), "kg/m³", "Density";
        /// Young's modulus: resistance to bending.
        young: f32 = 3.9, param::log_float(0.1, 50.0), "GPa", "Young's modulus";
        /// Shear modulus: resistance to twisting.
        shear: f32 = 0.89, param::log_float(0.02, 20.0), "GPa", "Shear modulus";
    }
}

choice! {
    /// How air drags on hair.
    pub enum AirLaw {
        /// As fast as hair moves against it, whatever the hair.
        Linear = "linear",
        /// As on a cylinder: more than twice as much at twice the speed, and more
        /// on a thin lock than on a thick one.
        Cylinder = "cylinder",
    }
}

params! {
    /// Gravity and air.
    pub struct ForceParams: "forces" {
        /// Whether gravity acts.
        gravity_on: bool = true, Kind::Bool, "", "Gravity";
        /// Acceleration of gravity, downwards.
        gravity: f32 = 9.81, param::float(-100.0, 100.0), "m/s²", "Strength";
        /// How air drags on hair: as fast as it moves, or as measured on cylinders, by the speed and by how thick a lock a strand stands for.
        air: AirLaw = AirLaw::Linear, Kind::Choice(AirLaw::NAMES), "", "Law of air drag";
        /// How fast still air slows a strand of ordinary mass by the linear law. At 0 there is no air by either law.
        drag: f32 = 1.8, param::float(0.0, 20.0), "1/s", "Air drag";
        /// Thickness of the lock that a strand stands for, as the cylinder law has it: 0.08 mm is a single hair.
        lock: f32 = 3.0, param::log_float(0.05, 30.0), "mm", "Lock in the air";
        /// Share of that lock that is hair; the rest is air between hairs.
        packing: f32 = 0.3, param::float(0.02, 1.0), "", "Packing of the lock";
        /// How fast the hairs of a lock slow its swing against its root, as they rub against one another, with the cylinder law. The linear law's drag stands for it, too.
        rub: f32 = 1.8, param::float(0.0, 20.0), "1/s", "Friction in the lock";
        /// Share of the drag that acts along a strand; the rest acts only across it.
        drag_along: f32 = 0.35, param::float(0.0, 1.0), "", "Axial drag";
    }
}

params! {
    /// Wind.
    pub struct WindParams: "wind" {
        /// Whether the wind blows.
        on: bool = false, Kind::Bool, "", "Wind";
        /// Speed of the air.
        strength: f32 = 6.0, param::float(0.0, 50.0), "m/s", "Strength";
        /// Where the air flows to.
        direction: [f32; 3] = [-0.8, 0.1, -0.6], Kind::Direction, "", "Direction";
        /// Share of the strength that swells and fades.
        oscillation: f32 = 0.5, param::float(0.0, 1.0), "", "Oscillation";
        /// How often it swells.
        frequency: f32 = 0.6, param::float(0.0, 5.0), "Hz", "Frequency";
        /// Share of the strength that comes in bursts on top of it.
        gusts: f32 = 0.0, param::float(0.0, 3.0), "", "Gusts";
        /// How many bursts there may be.
        gust_rate: f32 = 0.8, param::float(0.05, 5.0), "1/s", "Gust rate";
        /// Share of the strength that differs from place to place.
        turbulence: f32 = 0.35, param::float(0.0, 1.0), "", "Turbulence";
        /// Wind occlusion: how strongly wind and fan are attenuated behind the head and deep in the hair.
        lee: f32 = 0.55, param::float(0.0, 1.0), "", "Wind occlusion";
    }
}

params! {
    /// A fan that stands beside the head.
    pub struct FanParams: "fan" {
        /// Whether the fan blows.
        on: bool = false, Kind::Bool, "", "Fan";
        /// Speed of its air where it leaves the fan.
        strength: f32 = 35.0, param::float(0.0, 50.0), "m/s", "Strength";
        /// Where it blows to.
        direction: [f32; 3] = [0.3, 0.15, -1.0], Kind::Direction, "", "Direction";
        /// How far its air spreads to each side.
        width: f32 = 28.0, param::float(1.0, 60.0), "°", "Width";
        /// Where its air has half of its speed.
        reach: f32 = 0.5, param::log_float(0.05, 5.0), "m", "Reach";
        /// Where it stands, to the head's left.
        x: f32 = -0.1, param::float(-2.0, 2.0), "m", "Place aside";
        /// Where it stands, upwards.
        y: f32 = -0.06, param::float(-2.0, 2.0), "m", "Place up";
        /// Where it stands, to the front.
        z: f32 = 0.4, param::float(-2.0, 2.0), "m", "Place forward";
    }
}

params! {
    /// Contact with the head.
    pub struct CollisionParams: "collision" {
        /// The head's triangles, its distance grid, or nothing; auto takes the grid from 20,000 vertices on.
        mode: CollisionMode = CollisionMode::Auto, Kind::Choice(CollisionMode::NAMES), "", "Collide with";
        /// Strands keep this distance from the skin.
        margin: f32 = 0.0015, param::float(0.0, 0.02), "m", "Margin";
        /// Coulomb friction on the skin.
        friction: f32 = 0.3, param::float(0.0, 2.0), "", "Friction";
        /// Share of the impact speed that bounces back; rods never bounce.
        restitution: f32 = 0.0, param::float(0.0, 1.0), "", "Restitution";
        /// How bodies beside the head keep hair out: by moving it to their surface, or by a penalty spring.
        response: Response = Response::Projection, Kind::Choice(Response::NAMES), "", "Bodies push by";
        /// That spring: acceleration for each metre of depth.
        stiffness: f32 = 4000.0, param::log_float(10.0, 100_000.0), "1/s²", "Spring stiffness";
        /// Cell size of the distance grid.
        cell: f32 = 0.004, param::float(0.001, 0.05), "m", "Grid cell";
    }
}

choice! {
    /// How crowded hair is pushed apart.
    pub enum Repulsion {
        /// By a pressure where the density is beyond that at rest, no harder than
        /// hair can bear.
        Clamped = "clamped",
        /// Down the slope of the density, however steep it is.
        Normalised = "normalised",
    }
}

params! {
    /// Hair among hair.
    pub struct VolumeParams: "crowd" {
        /// Whether strands push and rub against one another, through a grid of density and velocity that moves with the head; with any solver.
        on: bool = true, Kind::Bool, "", "Hair against hair";
        /// Share of its motion against the hair around it that a vertex loses in 1/60 s. High values make the hair move as one mass.
        friction: f32 = 0.08, param::float(0.0, 1.0), "", "Friction";
        /// How hard hair is pushed out of where it is denser than it was at rest.
        repulsion: f32 = 3.0, param::float(0.0, 5.0), "m²/s²", "Repulsion";
        /// Clamped: by a pressure where density is beyond that at rest, never harder than hair can bear. Normalised: down any slope of density, as in Müller, Kim, Chentanez 2012; it jitters, and depends on the step rate.
        form: Repulsion = Repulsion::Clamped, Kind::Choice(Repulsion::NAMES), "", "Form";
        /// How far the normalised form shifts a vertex in each step.
        shift: f32 = 0.02, param::float(0.0, 1.0), "mm", "Normalised shift";
        /// Size of a cell: strands nearer than this feel one another. Where hair of a file follows guides, cells are at least twice as wide as it is far from its guide on average, up to 3 cm.
        cell: f32 = 0.01, param::float(0.004, 0.03), "m", "Cell";
    }
}

params! {
    /// Locks of hair.
    pub struct CohesionParams: "cohesion" {
        /// How well the strands of a lock hold together: at 0 each swings by itself, at 1 the lock swings as one. With any solver.
        hold: f32 = 0.5, param::float(0.0, 1.0), "", "Holds together";
        /// How wide locks are at the roots. Strands that run side by side within it are one lock. Where hair of a file follows guides, locks are at least one and a half times as wide as it is far from its guide on average, up to 10 cm.
        width: f32 = 0.02, param::log_float(0.004, 0.1), "m", "Lock width";
        /// A strand torn so far off its lock is held by half; farther off it goes its own way. It is held again when it comes back.
        reach: f32 = 0.02, param::log_float(0.002, 0.2), "m", "Gives way at";
    }
}

params! {
    /// How the head moves: by itself, and turned and moved by hand.
    pub struct MotionParams: "motion" {
        /// The head's own motion.
        preset: MotionPreset = MotionPreset::Sway, Kind::Choice(MotionPreset::NAMES), "", "Motion";
        /// How far sway, nod, shake, tilt, walk and head-bang turn the head.
        amplitude: f32 = 12.0, param::float(0.0, 90.0), "°", "Amplitude";
        /// How far a jump, a walk or a head-bang moves it.
        travel: f32 = 0.05, param::float(0.0, 1.0), "m", "Travel";
        /// How often the head goes to and fro, leaps, or in a spin goes round: for all motions but none, keyframes and sequence.
        frequency: f32 = 0.35, param::float(0.0, 4.0), "Hz", "Frequency";
        /// Share of the head's motion that the hair feels by its inertia: 1 is physical, 0 lets it ride along rigidly.
        inertia: f32 = 1.0, param::float(0.0, 1.0), "", "Inertia";
        /// How far the head is turned to its left. A drag with the right button turns the head.
        yaw: f32 = 0.0, param::float(-180.0, 180.0), "°", "Yaw";
        /// How far it is bowed.
        pitch: f32 = 0.0, param::float(-90.0, 90.0), "°", "Pitch";
        /// How far it leans to its right.
        roll: f32 = 0.0, param::float(-90.0, 90.0), "°", "Roll";
        /// How far it is moved to its left. With Shift a drag with the right button moves the head.
        x: f32 = 0.0, param::float(-1.0, 1.0), "m", "Offset aside";
        /// How far it is moved upwards.
        y: f32 = 0.0, param::float(-1.0, 1.0), "m", "Offset up";
        /// How far it is moved to the front.
        z: f32 = 0.0, param::float(-1.0, 1.0), "m", "Offset forward";
        /// Any file of an animated head: files with the same faces and numbers at the end of their names, like head.0001.obj, or an Alembic archive (.abc) or USD file with all poses. The first is the head, in place of head.file; the motion "sequence" plays them.
        sequence: String = "", Kind::Text, "", "Sequence";
        /// How many of its frames are played in a second.
        sequence_fps: f32 = 24.0, param::log_float(0.1, 240.0), "fps", "Frames per second";
        /// What comes after its last frame: the first one again, nothing, or all of them backwards.
        sequence_play: Play = Play::Loop, Kind::Choice(Play::NAMES), "", "After the last frame";
        /// Whether keyframes begin anew after the last one.
        repeat: bool = false, Kind::Bool, "", "Keyframes repeat";
        /// The keyframes as one text: time, yaw, pitch, roll, x, y, z of each, in s, ° and m, and a semicolon. Scene files have a list of tables named keyframe instead.
        keyframes: Keyframes = Keyframes::default(), Kind::Text, "", "Keyframes";
    }
}

choice! {
    /// Whether the torso turns with the head.
    pub enum TorsoMode {
        /// It does: the bust is one rigid piece.
        Off = "off",
        /// It stays behind where the mesh shows a neck.
        Auto = "auto",
        /// It stays behind even where no neck is found: the mesh then bends
        /// where the head turns about.
        On = "on",
    }
}

params! {
    /// Head and torso apart.
    pub struct TorsoParams: "torso" {
        /// Whether the shoulders stay while the head turns: auto where the mesh shows a neck, on in any mesh, off never. Where the head is moved, spins or plays a sequence they go along.
        mode: TorsoMode = TorsoMode::Auto, Kind::Choice(TorsoMode::NAMES), "", "Torso stays";
        /// How far above the narrowest part of the neck the plane is around which the neck bends.
        height: f32 = -0.01, param::float(-0.3, 0.3), "m", "Neck plane";
        /// How far the plane around which the neck bends leans down to the front: a chin lies lower than a hairline.
        tilt: f32 = 15.0, param::float(-60.0, 60.0), "°", "Plane leans";
        /// Height of the band that bends, from where skin goes with the head to where it goes with the torso. Narrow folds, wide bends the chin.
        width: f32 = 0.055, param::log_float(0.005, 0.3), "m", "Width of the bend";
        /// Share of the head's turn that the torso takes part in.
        follow: f32 = 0.0, param::float(0.0, 1.0), "", "Torso follows";
        /// How late it follows: after this time two thirds are done.
        delay: f32 = 0.4, param::log_float(0.01, 5.0), "s", "Follows after";
        /// The farthest that the head turns against the torso; beyond, it takes the torso along.
        reach: f32 = 60.0, param::float(0.0, 85.0), "°", "Neck turns at most";
    }
}

params! {
    /// Numbers that change over time.
    pub struct TrackParams: "tracks" {
        /// The keys of all numbers that change over time, as one text: the parameter, then time and value of each key, in s and its unit, after a value linear, hold or eased where it does not go on smoothly, and a semicolon. Scene files have a list of tables named track instead.
        keys: Tracks = Tracks::default(), Kind::Text, "", "Keys";
    }
}

/// Every tunable of the simulation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SimParams {
    /// Method and clock.
    pub step: StepParams,
    /// What each method has of its own.
    pub methods: MethodParams,
    /// What a hair is made of.
    pub material: MaterialParams,
    /// Gravity and air.
    pub forces: ForceParams,
    /// Wind.
    pub wind: WindParams,
    /// A fan.
    pub fan: FanParams,
    /// Contact with the head.
    pub collision: CollisionParams,
    /// Hair among hair.
    pub volume: VolumeParams,
    /// Hair in its lock.
    pub cohesion: CohesionParams,
    /// The head's own motion.
    pub motion: MotionParams,
    /// Head and torso apart.
    pub torso: TorsoParams,
    /// Which of these change over time, and numbers of the picture beside them.
    pub tracks: TrackParams,
    /// Bodies beside the head.
    pub colliders: Vec<Collider>,
}

impl SimParams {
    /// The parameters of a method: `params.of::<RodParams>().stiffness`.
    pub fn of<P: MethodSection + Clone + Default>(&self) -> P {
        self.methods.of()
    }

    /// The same parameters with these of a method.
    #[must_use]
    pub fn with<P: MethodSection + Default>(mut self, section: P) -> Self {
        *self.methods.of_mut() = section;
        self
    }

    /// The same, to be changed.
    pub fn of_mut<P: MethodSection + Default>(&mut self) -> &mut P {
        self.methods.of_mut()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn substeps_are_as_few_as_their_length_allows_at_any_rate() {
        let at = |rate, substep_ms| StepParams {
            rate,
            substep_ms,
            ..StepParams::default()
        };
        let default = StepParams::default().substep_ms;
        for (rate, substeps) in [(24, 10), (30, 8), (48, 5), (60, 4), (120, 2), (240, 1)] {
            let params = at(rate, default);
            assert_eq!(params.substeps(), substeps, "{rate} steps a second");
            assert!((params.substep() - 4.1667).abs() < 1e-3, "{rate}");
        }
        assert_eq!(at(50, default).substeps(), 5, "never longer than asked");
        assert_eq!(at(60, 5.55).substeps(), 3);
        assert_eq!(at(60, 42.0).substeps(), 1);
    }

    #[test]
    fn a_step_can_be_cut_into_any_number_of_substeps() {
        for rate in [24, 60, 90, 240, 3840] {
            for substeps in 1..=100 {
                let mut params = StepParams {
                    rate,
                    ..StepParams::default()
                };
                params.set_substeps(substeps);
                assert_eq!(params.substeps(), substeps, "{rate} steps a second");
                params.scale_to(75);
                assert_eq!(params.substeps(), substeps, "{rate} steps a second");
            }
        }
    }
}
