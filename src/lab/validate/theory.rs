//! The references: closed forms, and elasticas integrated in double precision.

use std::f64::consts::{FRAC_PI_2, PI};

/// Acceleration of gravity. `[m/s²]`
pub const GRAVITY: f64 = 9.81;

/// Steps of an integration along a strand.
const STEPS: usize = 4000;

/// Integrates y'' = f(s, y) from the tip (s = 1, y' = 0) to the root, with
/// Runge and Kutta's fourth order; `visit` sees s, y and the step.
fn from_tip(tip: f64, f: impl Fn(f64, f64) -> f64, mut visit: impl FnMut(f64, f64, f64)) -> f64 {
    let h = -1.0 / STEPS as f64;
    let (mut y, mut v) = (tip, 0.0);
    for i in 0..STEPS {
        let s = 1.0 + h * i as f64;
        let (k1, l1) = (v, f(s, y));
        let (k2, l2) = (v + 0.5 * h * l1, f(s + 0.5 * h, y + 0.5 * h * k1));
        let (k3, l3) = (v + 0.5 * h * l2, f(s + 0.5 * h, y + 0.5 * h * k2));
        let (k4, l4) = (v + h * l3, f(s + h, y + h * k3));
        let (before, slope) = (y, v);
        y += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
        v += h / 6.0 * (l1 + 2.0 * l2 + 2.0 * l3 + l4);
        // The middle of the step, for Simpson's rule.
        let middle = 0.5 * (before + y) - h / 8.0 * (v - slope);
        visit(before, middle, y);
    }
    y
}

/// Integrals of cosine and sine of an angle along the strand, by Simpson.
#[derive(Default)]
struct Ends {
    cos: f64,
    sin: f64,
}

impl Ends {
    fn add(&mut self, a: f64, m: f64, b: f64) {
        let share = 1.0 / (6.0 * STEPS as f64);
        self.cos += share * (a.cos() + 4.0 * m.cos() + b.cos());
        self.sin += share * (a.sin() + 4.0 * m.sin() + b.sin());
    }
}

/// Height over width of the tip of a heavy strand that is clamped level, for
/// `gamma` = weight times length squared over bending stiffness.
pub fn cantilever(gamma: f64) -> f64 {
    let [width, drop] = clamped(gamma, 0.0);
    drop / width
}

/// How far sideways and how far down the tip of a heavy strand is whose clamp
/// points `angle` below the horizon, in lengths, for `gamma` = weight times length
/// squared over bending stiffness.
///
/// theta'' = -gamma (1 - s) cos(theta), theta(0) = angle, theta'(1) = 0, with theta
/// below the horizon. In d = 90 degrees - theta it is d'' = gamma (1 - s)
/// sin(d): from the tip that grows only, and even a tip that hangs straight to
/// ten digits is found by halving the logarithm of its d.
pub fn clamped(gamma: f64, angle: f64) -> [f64; 2] {
    let clamp = FRAC_PI_2 - angle;
    let steepest = |log: f64| {
        let mut steepest = 0.0f64;
        let see = |_, _, d| steepest = steepest.max(d);
        from_tip(log.exp(), |s, d| gamma * (1.0 - s) * d.sin(), see);
        steepest
    };
    let (mut low, mut high) = (-200.0, clamp.ln());
    for _ in 0..100 {
        let log = 0.5 * (low + high);
        // What has turned past the clamp swings back farther in, and would pass
        // for a tip that hangs straighter.
        if steepest(log) < clamp {
            low = log;
        } else {
            high = log;
        }
    }
    let mut ends = Ends::default();
    let tip = (0.5 * (low + high)).exp();
    from_tip(
        tip,
        |s, d| gamma * (1.0 - s) * d.sin(),
        |a, m, b| ends.add(a, m, b),
    );
    [ends.sin, ends.cos]
}

/// The weight at which an upright column buckles, Greenhill 1881: the first
/// root of the Bessel function J of order -1/3 at 2/3 sqrt(gamma).
pub const GREENHILL: f64 = 7.837_347;

/// How far sideways the tip of a column hangs, in lengths; zero while it stands.
///
/// theta'' = -gamma (1 - s) sin(theta), theta(0) = 0, theta'(1) = 0.
pub fn column(gamma: f64) -> f64 {
    let root = |tip: f64| from_tip(tip, |s, a| -gamma * (1.0 - s) * a.sin(), |_, _, _| ());
    let (mut low, mut high) = (1e-6, PI - 1e-6);
    if root(low) >= 0.0 {
        return 0.0;
    }
    for _ in 0..80 {
        let tip = 0.5 * (low + high);
        if root(tip) < 0.0 {
            low = tip;
        } else {
            high = tip;
        }
    }
    let mut ends = Ends::default();
    let tip = 0.5 * (low + high);
    from_tip(
        tip,
        |s, a| -gamma * (1.0 - s) * a.sin(),
        |a, m, b| ends.add(a, m, b),
    );
    ends.sin
}

/// Weights at which an arc that hangs from a clamp leaves its plane, for
/// curvature times length, where twisting is two thirds as stiff as bending:
/// smallest eigenvalues of the energy's second variation in space about the
/// planar equilibrium, 80 segments. A test beside their user finds them again as
/// conjugate points. The set-up is that of Miller et al. 2014, "Shapes of a suspended
/// curly hair".
pub const BEND_TWIST: [(f64, f64); 3] = [(7.0, 14.53), (8.0, 19.20), (10.0, 28.67)];

/// A chain of length 1 hung up at two points of one height, `span` apart:
/// y = a (cosh(x / a) - cosh(span / 2a)), with x from the middle.
#[derive(Clone, Copy, Debug)]
pub struct Catenary {
    /// Radius of curvature at the lowest point, in lengths.
    pub a: f64,
    /// Distance of the ends, in lengths.
    pub span: f64,
}

impl Catenary {
    /// From 2 a sinh(span / 2a) = 1; `span` is below 1.
    pub fn new(span: f64) -> Self {
        let (mut low, mut high) = (1e-3, 1e3);
        for _ in 0..200 {
            let a = 0.5 * (low + high);
            if 2.0 * a * (0.5 * span / a).sinh() > 1.0 {
                low = a;
            } else {
                high = a;
            }
        }
        Self { a: low, span }
    }

    /// Height over the ends, `x` from the first one. In lengths.
    pub fn height(&self, x: f64) -> f64 {
        let middle = 0.5 * self.span;
        self.a * (((x - middle) / self.a).cosh() - (middle / self.a).cosh())
    }

    /// How deep it hangs, in lengths.
    pub fn sag(&self) -> f64 {
        -self.height(0.5 * self.span)
    }

    /// The angle below the horizon at which it leaves its first end.
    pub fn slope(&self) -> f64 {
        (0.5 * self.span / self.a).sinh().atan()
    }
}

/// The first root of the Bessel function J of order 0.
const BESSEL_ROOT: f64 = 2.404_825_557_695_773;

/// J of order 0 for small arguments, by its series.
fn bessel(x: f64) -> f64 {
    let (mut term, mut sum) = (1.0, 1.0);
    for k in 1..40 {
        term *= -(0.25 * x * x) / f64::from(k * k);
        sum += term;
    }
    sum
}

/// Period of the slowest swing of a hanging chain. `[s]`
pub fn chain_period(length: f64) -> f64 {
    // omega = j/2 sqrt(g / L), D. Bernoulli 1732.
    4.0 * PI / (BESSEL_ROOT * (GRAVITY / length).sqrt())
}

/// Its shape, `s` from root (0) to tip (1), where it is one.
pub fn chain_shape(s: f64) -> f64 {
    bessel(BESSEL_ROOT * (1.0 - s).max(0.0).sqrt())
}

/// The first roots of cos(b) cosh(b) = -1 (Rayleigh 1877, section 174).
pub const BEAM_ROOTS: [f64; 3] = [
    1.875_104_068_711_961,
    4.694_091_132_974_175,
    7.854_757_438_237_613,
];

/// First frequency of a beam that is clamped at one end. `[Hz]`
pub fn beam_frequency(length: f64, bending: f64, density: f64) -> f64 {
    mode_frequency(0, length, bending, density)
}

/// Frequency of one of its [`BEAM_ROOTS`]. `[Hz]`
pub fn mode_frequency(mode: usize, length: f64, bending: f64, density: f64) -> f64 {
    let square = BEAM_ROOTS[mode] * BEAM_ROOTS[mode];
    square / (2.0 * PI) * (bending / (density * length.powi(4))).sqrt()
}

/// The first mode's shape, `s` from clamp (0) to tip (1), where it is one.
pub fn beam_shape(s: f64) -> f64 {
    beam_mode(0, s)
}

/// The shape of a mode, `s` from clamp (0) to tip (1), where it is 1 or -1.
pub fn beam_mode(mode: usize, s: f64) -> f64 {
    let b = BEAM_ROOTS[mode];
    let sigma = (b.cosh() + b.cos()) / (b.sinh() + b.sin());
    let x = b * s;
    0.5 * (x.cosh() - x.cos() - sigma * (x.sinh() - x.sin()))
}

/// Period of a uniform bar on a hinge at its end that is let go `swing` from
/// hanging, by the complete elliptic integral as the arithmetic-geometric mean
/// gives it: Landau, Lifshitz 1976, "Mechanics", section 11. `[s]`
pub fn pendulum_period(length: f64, swing: f64) -> f64 {
    let (mut a, mut b) = (1.0, (0.5 * swing).cos());
    for _ in 0..40 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    2.0 * PI * (2.0 * length / (3.0 * GRAVITY)).sqrt() / a
}

/// What share of its turning a rigid body keeps when implicit Euler turns it
/// for `steps` steps at first by `angle` each. `[rad]`
///
/// Only the force towards the middle acts, along the new arm, so the new and
/// the old speed agree across it: sin(b) = 2 sin(a/2) cos(b + a/2) for the turns
/// a and b of two steps that follow one another, and the momentum is as sin(b).
pub fn spin_left(angle: f64, steps: usize) -> f64 {
    let mut a = angle;
    for _ in 0..steps {
        // tan(b) (1 + 2 sin^2(a/2)) = 2 sin(a/2) cos(a/2)
        a = (a.sin() / (1.0 + 2.0 * (0.5 * a).sin().powi(2))).atan();
    }
    a.sin() / angle.sin()
}

/// A body that rubs on a surface (Coulomb 1785).
#[derive(Clone, Copy, Debug, Default)]
pub struct SlidingBody {
    /// How far it has gone. `[m]`
    pub way: f64,
    /// `[m/s]`
    pub speed: f64,
}

impl SlidingBody {
    /// A time `h` during which the body is pulled with `pull`, and friction takes its
    /// speed towards that of the `surface` by no more than `grip` `[m/s²]`.
    pub fn step(&mut self, h: f64, pull: f64, grip: f64, surface: f64) {
        let before = self.speed;
        let free = before + h * pull;
        self.speed = free + (surface - free).clamp(-h * grip, h * grip);
        self.way += 0.5 * h * (before + self.speed);
    }
}

/// A lock of hair across the air, as a cylinder of that thickness of which that
/// share is hair: White 2006, "Viscous fluid flow", 3rd edition, eq. 3-225.
#[derive(Clone, Copy, Debug)]
pub struct CylinderInAir {
    diameter: f64,
    /// Mass of a metre. `[kg/m]`
    mass: f64,
}

impl CylinderInAir {
    /// Of hair of 1320 kg/m³. `[m]`
    pub fn new(diameter: f64, packing: f64) -> Self {
        Self {
            diameter,
            mass: 1320.0 * packing * std::f64::consts::PI * diameter * diameter / 4.0,
        }
    }

    /// What air that moves past it at that speed does to it. `[m/s²]`
    pub fn drag(&self, speed: f64) -> f64 {
        let reynolds = speed.abs() * self.diameter / 1.5e-5;
        if reynolds == 0.0 {
            return 0.0;
        }
        let coefficient = 1.0 + 10.0 * reynolds.powf(-2.0 / 3.0);
        0.5 * 1.2 * speed * speed.abs() * self.diameter * coefficient / self.mass
    }

    /// How fast it moves a `time` after it was let go, pulled by `gravity` and blown
    /// at by `wind` in the same direction.
    pub fn speed(&self, gravity: f64, wind: f64, time: f64) -> f64 {
        let rate = |speed: f64| gravity + self.drag(wind - speed);
        let steps = 20_000;
        let h = time / f64::from(steps);
        // Runge and Kutta's midpoint formula.
        (0..steps).fold(0.0, |speed, _| {
            speed + h * rate(speed + 0.5 * h * rate(speed))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_heavy_elastica_is_that_of_an_independent_collocation() {
        // Height over width from a boundary value solver with another method.
        for (gamma, wanted) in [
            (0.01, 0.001249999554),
            (0.1, 0.01249955366),
            (1.0, 0.1245617664),
            (3.0, 0.364620833),
            (10.0, 1.06680232),
            (30.0, 2.547213933),
            (100.0, 5.888104623),
            (300.0, 11.18311622),
            (1000.0, 21.3354405),
            (3000.0, 37.71963646),
        ] {
            let found = cantilever(gamma);
            assert!((found / wanted - 1.0).abs() < 2e-9, "{gamma}: {found}");
        }
    }

    #[test]
    fn the_column_buckles_where_greenhill_says_and_then_leans_ever_more() {
        assert_eq!(column(GREENHILL - 1e-4), 0.0);
        assert!(column(GREENHILL + 1e-4) > 1e-3);
        let leans: Vec<f64> = [7.9, 8.1, 8.5, 9.0].map(column).to_vec();
        assert!(leans.is_sorted() && leans[0] > 0.05, "{leans:?}");
    }

    #[test]
    fn the_catenary_has_its_length_and_its_ends() {
        for span in [0.2, 0.6, 0.95] {
            let chain = Catenary::new(span);
            let length: f64 = (0..2000)
                .map(|i| {
                    let x = |i: i32| span * f64::from(i) / 2000.0;
                    let rise = chain.height(x(i + 1)) - chain.height(x(i));
                    (x(1)).hypot(rise)
                })
                .sum();
            assert!((length - 1.0).abs() < 1e-6, "{span}: {length}");
            assert!(chain.height(0.0).abs() < 1e-12);
            let slope = -(chain.height(1e-7) / 1e-7).atan();
            assert!((slope - chain.slope()).abs() < 1e-5);
        }
    }

    #[test]
    fn the_modes_start_at_their_clamp_and_solve_their_equations() {
        assert!(chain_shape(0.0).abs() < 1e-12 && chain_shape(1.0) == 1.0);
        assert!(beam_shape(0.0).abs() < 1e-12 && (beam_shape(1.0) - 1.0).abs() < 1e-9);
        assert!((chain_period(0.3) - 0.9138).abs() < 1e-4);
        // Chain: ((1 - s) y')' = -(j/2)^2 y. Beam: y'''' = b^4 y.
        let (s, h) = (0.4, 1e-3);
        let slope = |s: f64| (chain_shape(s + h) - chain_shape(s - h)) / (2.0 * h);
        let left = ((1.0 - s - h) * slope(s + h) - (1.0 - s + h) * slope(s - h)) / (2.0 * h);
        assert!((left / chain_shape(s) + (0.5 * BESSEL_ROOT).powi(2)).abs() < 1e-4);
        let h = 1e-2;
        for (mode, root) in BEAM_ROOTS.into_iter().enumerate() {
            assert!((root.cos() * root.cosh() + 1.0).abs() < 1e-10, "{root}");
            assert!((beam_mode(mode, 1.0).abs() - 1.0).abs() < 1e-9);
            let y = |k: i32| beam_mode(mode, s + h * f64::from(k));
            let fourth = (y(2) - 4.0 * y(1) + 6.0 * y(0) - 4.0 * y(-1) + y(-2)) / h.powi(4);
            assert!((fourth / y(0) / root.powi(4) - 1.0).abs() < 2e-3);
        }
    }

    #[test]
    fn a_bar_on_a_hinge_takes_as_long_as_its_motion_integrated() {
        for swing in [10.0f64, 90.0, 160.0] {
            let (mut angle, mut pace, mut time) = (swing.to_radians(), 0.0, 0.0);
            let h = 1e-5;
            let pull = |angle: f64| -1.5 * GRAVITY / 0.1 * angle.sin();
            while angle > 0.0 {
                // Leapfrog.
                pace += 0.5 * h * pull(angle);
                angle += h * pace;
                pace += 0.5 * h * pull(angle);
                time += h;
            }
            let period = pendulum_period(0.1, swing.to_radians());
            assert!((4.0 * time / period - 1.0).abs() < 2e-4, "{swing}: {time}");
        }
    }

    #[test]
    fn a_body_on_a_belt_slips_until_it_is_as_fast_and_then_sticks() {
        // It gains its speed v within v / grip, and goes v^2 / (2 grip) meanwhile.
        let (grip, belt, h) = (3.0, 0.6, 1e-5);
        let mut body = SlidingBody::default();
        for _ in 0..20_000 {
            body.step(h, 0.0, grip, belt);
        }
        assert!((body.way - 0.06).abs() < 1e-5, "{}", body.way);
        assert!((body.speed - belt).abs() < 1e-9, "{}", body.speed);
        // What pulls less than friction bears moves nothing, what pulls more does.
        for (pull, wanted) in [(2.9, 0.12), (4.0, 0.14)] {
            let mut body = SlidingBody {
                way: 0.0,
                speed: belt,
            };
            for _ in 0..20_000 {
                body.step(h, pull, grip, belt);
            }
            assert!((body.way - wanted).abs() < 1e-5, "{}", body.way);
        }
    }

    #[test]
    fn a_clamp_that_points_straight_on_bends_nothing_and_a_light_strand_little() {
        let [width, drop] = clamped(10.0, FRAC_PI_2 - 1e-9);
        assert!(width < 1e-8 && (drop - 1.0).abs() < 1e-12, "{width} {drop}");
        // Bernoulli's beam: gamma / 8 across, whatever the clamp.
        for degrees in [-45.0f64, 30.0, 60.0] {
            let (gamma, angle) = (1e-3, degrees.to_radians());
            let [width, drop] = clamped(gamma, angle);
            let across = drop * angle.cos() - width * angle.sin();
            let wanted = gamma / 8.0 * angle.cos();
            assert!((across / wanted - 1.0).abs() < 1e-3, "{degrees}: {across}");
        }
    }

    #[test]
    fn implicit_euler_loses_spin_as_a_turning_dumbbell_does() {
        // Two points on a rigid rod, implicit Euler by brute force.
        let (mut x, mut v, h) = ([1.0f64, 0.0], [0.0f64, 1.0], 0.02);
        let momentum = |x: [f64; 2], v: [f64; 2]| x[0] * v[1] - x[1] * v[0];
        let mut kept = Vec::new();
        for _ in 0..40 {
            // The new place is on the circle, and moved off the free path along itself.
            let free = [x[0] + h * v[0], x[1] + h * v[1]];
            let scale = free[0].hypot(free[1]);
            let new = [free[0] / scale, free[1] / scale];
            v = [(new[0] - x[0]) / h, (new[1] - x[1]) / h];
            x = new;
            kept.push(momentum(x, v));
        }
        let angle = (kept[0] * h).asin();
        let left = spin_left(angle, 39);
        assert!((kept[39] / kept[0] - left).abs() < 1e-9, "{left}");
    }
}
