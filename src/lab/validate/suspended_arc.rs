//! An arc that hangs from a clamp in its plane: the equilibrium whose stability is tested.

use glam::DVec2;

/// Steps of an integration along the whole strand.
const STEPS: usize = 300;

/// Integrates y' = f(s, y) from the root (s = 0) to `end` (s = 1 at the tip), with Runge
/// and Kutta's fourth order.
pub(super) fn from_root<const N: usize>(
    start: [f64; N],
    end: f64,
    f: impl Fn(f64, [f64; N]) -> [f64; N],
) -> [f64; N] {
    let steps = (end * STEPS as f64).ceil().max(1.0);
    let h = end / steps;
    (0..steps as usize).fold(start, |y, step| advanced(h * step as f64, h, y, &f))
}

/// One step of Runge and Kutta's fourth order, by `h` from `s`.
fn advanced<const N: usize>(
    s: f64,
    h: f64,
    mut y: [f64; N],
    f: &impl Fn(f64, [f64; N]) -> [f64; N],
) -> [f64; N] {
    let plus = |a: [f64; N], b: [f64; N], t: f64| std::array::from_fn(|i| a[i] + t * b[i]);
    let a = f(s, y);
    let b = f(s + 0.5 * h, plus(y, a, 0.5 * h));
    let c = f(s + 0.5 * h, plus(y, b, 0.5 * h));
    let d = f(s + h, plus(y, c, h));
    for i in 0..N {
        y[i] += h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]);
    }
    y
}

/// The curvature at the clamp, in which the arc of curvature `turn` hangs in its plane:
/// theta'' = gamma (1 - s) sin(theta), theta(0) = 0, theta'(1) = turn, with theta from the
/// vertical. Newton's method, from no weight on.
pub(super) fn planar(turn: f64, gamma: f64) -> f64 {
    let mut root = turn;
    let steps = (2.0 * gamma).ceil();
    for step in 1..=steps as usize {
        let weight = gamma * step as f64 / steps;
        let miss = |root: f64| {
            let bend = |s: f64, [angle, bend]: [f64; 2]| [bend, weight * (1.0 - s) * angle.sin()];
            from_root([0.0, root], 1.0, bend)[1] - turn
        };
        for _ in 0..4 {
            let slope = (miss(root + 1e-6) - miss(root)) / 1e-6;
            root -= miss(root) / slope;
        }
    }
    root
}

/// Where the ends of so many edges of that arc are in its plane, from the clamp: across, in
/// the direction in which it bends, and up, in lengths.
pub(super) fn planar_places(turn: f64, gamma: f64, edges: usize) -> Vec<DVec2> {
    let slopes = |s: f64, [angle, bend, _, _]: [f64; 4]| {
        let pull = gamma * (1.0 - s) * angle.sin();
        [bend, pull, angle.sin(), -angle.cos()]
    };
    let start = [0.0, planar(turn, gamma), 0.0, 0.0];
    let place = |edge: usize| {
        let [_, _, across, up] = from_root(start, edge as f64 / edges.max(1) as f64, slopes);
        DVec2::new(across, up)
    };
    (0..=edges).map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_weight_the_arc_is_a_circle_and_much_weight_draws_it_straight() {
        let turn = 7.0;
        for (edge, place) in planar_places(turn, 1e-9, 8).into_iter().enumerate() {
            let angle = turn * edge as f64 / 8.0;
            let wanted = DVec2::new(1.0 - angle.cos(), -angle.sin()) / turn;
            assert!(place.distance(wanted) < 1e-7, "{edge}: {place} {wanted}");
        }
        let tip = |gamma| planar_places(turn, gamma, 8)[8].y;
        assert!(tip(7.0) > -0.2 && tip(60.0) < -0.5 && tip(100.0) < tip(60.0));
    }

    #[test]
    fn no_vertical_move_or_turn_lowers_the_energy_of_the_equilibrium() {
        // E = integral of (theta' - turn)^2 / 2 - gamma (1 - s) cos(theta) is stationary.
        let (turn, gamma) = (8.0, 15.0);
        let root = planar(turn, gamma);
        let energy = |share: f64| {
            let slopes = |s: f64, [angle, bend, _]: [f64; 3]| {
                let (turned, bent) = (angle + share * s * s, bend + 2.0 * share * s);
                let stored = 0.5 * (bent - turn).powi(2) - gamma * (1.0 - s) * turned.cos();
                [bend, gamma * (1.0 - s) * angle.sin(), stored]
            };
            from_root([0.0, root, 0.0], 1.0, slopes)[2]
        };
        let slope = (energy(1e-4) - energy(-1e-4)) / 2e-4;
        assert!(slope.abs() < 1e-4, "{slope}");
    }
}
