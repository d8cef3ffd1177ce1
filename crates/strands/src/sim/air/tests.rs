use super::*;
use crate::math::elementary::{cos, sin, tan};

fn air(change: impl FnOnce(&mut SimParams)) -> Air {
    let mut params = SimParams::default();
    params.wind.on = true;
    params.wind.strength = 4.0;
    params.wind.oscillation = 0.0;
    change(&mut params);
    WindState::steady(&params, 3.7)
}

fn speed(air: &Air, p: DVec3) -> DVec3 {
    DVec3::from(air.at::<f64>(V3::splat(p.to_array())).get(0))
}

fn places() -> impl Iterator<Item = DVec3> {
    (0..400u64).map(|i| DVec3::from_array([0, 1, 2].map(|k| f64::from(random::signed(k, i)))))
}

#[test]
fn eddies_neither_gather_air_nor_thin_it() {
    let air = air(|params| params.wind.turbulence = 1.0);
    let (h, mut sum, mut slope) = (1e-6, DVec3::ZERO, 0.0);
    let mut squares = DVec3::ZERO;
    for p in places() {
        let along =
            |axis: DVec3| (speed(&air, p + axis * h) - speed(&air, p - axis * h)) / (2.0 * h);
        let (x, y, z) = (along(DVec3::X), along(DVec3::Y), along(DVec3::Z));
        let divergence = x.x + y.y + z.z;
        let size = x.length() + y.length() + z.length();
        slope += size;
        assert!(
            divergence.abs() < 1e-6 * (1.0 + size),
            "{divergence} of {size}"
        );
        let eddy = speed(&air, p) - air.steady;
        sum += eddy;
        squares += eddy * eddy;
    }
    assert!(slope / 400.0 > 10.0, "eddies are small: {slope}");
    let size = (squares / 400.0 / 16.0).element_sum() / 3.0;
    let wanted = EDDIES * EDDIES;
    assert!((size / wanted - 1.0).abs() < 0.35, "{size} for {wanted}");
    assert!((sum / 400.0).length() < 1.0, "they go nowhere: {sum}");
}

#[test]
fn a_wind_that_is_off_does_nothing_to_a_fan() {
    let fanned = |direction: [f32; 3], strength: f32| {
        air(|params| {
            (params.wind.on, params.fan.on) = (false, true);
            (params.wind.direction, params.wind.strength) = (direction, strength);
        })
    };
    let (one, other) = (fanned([1.0, 0.0, 0.0], 2.0), fanned([0.0, 0.0, 1.0], 20.0));
    for p in places() {
        assert_eq!(speed(&one, p), speed(&other, p));
    }
}

#[test]
fn a_fan_blows_ahead_and_fades_with_distance_and_aside() {
    let air = air(|params| {
        params.wind.on = false;
        params.fan.on = true;
        (params.fan.x, params.fan.y, params.fan.z) = (1.0, 0.0, 0.0);
        params.fan.direction = [-1.0, 0.0, 0.0];
        params.fan.strength = 20.0;
        params.fan.reach = 0.5;
        params.fan.width = 14.0;
    });
    // Without its eddies.
    let calm = Air {
        waves: [Wave::default(); WAVES],
        ..air.clone()
    };
    let at = |x: f64, y: f64| speed(&calm, DVec3::new(x, y, 0.0));
    assert!((at(0.5, 0.0).x + 10.0).abs() < 0.3, "{}", at(0.5, 0.0));
    let mut before = f64::INFINITY;
    for i in 1..40 {
        let here = at(0.95 - 0.05 * f64::from(i), 0.0).length();
        assert!(here < before && here > 1.0);
        before = here;
    }
    // At the rim of the cone a quarter, behind it nothing.
    let rim = 0.5 * tan(14f64.to_radians()) + 0.02;
    let share = at(0.5, rim).length() / at(0.5, 0.0).length();
    assert!((share - 0.25).abs() < 0.02, "{share}");
    assert!(at(0.5, 0.5).length() < 0.5 && at(1.1, 0.0).length() < 1e-9);
    assert!(speed(&air, DVec3::new(0.5, 0.0, 0.0)).length() <= air.fastest());
    // It has no edge anywhere.
    let mut old = at(1.2, 0.03);
    for i in 1..2000 {
        let new = at(1.2 - 1e-3 * f64::from(i), 0.03);
        assert!(new.distance(old) < 1.5, "{i}: {old} {new}");
        old = new;
    }
}

#[test]
fn wind_swells_gusts_come_in_bursts_and_nothing_jumps() {
    let mut params = SimParams::default();
    params.wind.strength = 4.0;
    params.wind.turbulence = 0.5;
    params.wind.gusts = 2.0;
    params.wind.gust_rate = 2.0;
    let (mut breeze, mut old) = (WindState::default(), DVec3::ZERO);
    let (mut most, mut least, h) = (0f64, f64::INFINITY, 1.0 / 240.0);
    for step in 0..4800 {
        params.wind.on = step % 1200 >= 240;
        params.wind.frequency = if step > 2000 { 2.0 } else { 0.3 };
        let air = breeze.pass(&params, h);
        let new = speed(&air, DVec3::new(0.05, 0.1, 0.1));
        assert!(new.distance(old) < 0.9, "{step}: {old} {new}");
        if !params.wind.on && step % 1200 > 200 {
            assert_eq!(new, DVec3::ZERO);
        }
        if step % 1200 > 480 {
            most = most.max(air.steady.length());
            least = least.min(air.steady.length());
        }
        old = new;
    }
    // Of 4 m/s with an oscillation of a half and bursts of twice as much.
    assert!(
        most > 8.0 && most < 12.1 && least < 2.4,
        "{least} to {most}"
    );
}

#[test]
fn eddies_change_without_wind_and_never_run_backwards() {
    let mut params = SimParams::default();
    (params.wind.strength, params.fan.on) = (0.0, true);
    let mut breeze = WindState::default();
    let place = DVec3::new(0.05, 0.1, 0.1);
    let mut felt = Vec::new();
    for _ in 0..200 {
        felt.push(speed(&breeze.pass(&params, 0.01), place));
    }
    let late = &felt[100..];
    let mean = late.iter().sum::<DVec3>() / late.len() as f64;
    let most = late.iter().map(|v| v.distance(mean)).fold(0.0, f64::max);
    assert!(most > 0.01 * mean.length(), "{most} of {mean}");

    params.wind.strength = 4.0;
    params.wind.on = true;
    let (mut way, drift) = (breeze.way, breeze.drift);
    for sign in [1.0, -1.0] {
        params.wind.direction = [sign, 0.0, 0.0];
        for _ in 0..100 {
            breeze.pass(&params, 0.01);
            assert!(breeze.way > way);
            way = breeze.way;
        }
    }
    let back = breeze.drift.distance(drift);
    assert!(back < 1e-9, "{} m from {drift}", breeze.drift);
}

#[test]
fn a_short_strand_feels_the_same_beside_a_long_one() {
    use crate::math::lanes::F;
    let strand = |points: usize, turn: f32| {
        let curl = move |i: usize| {
            let angle = turn + 0.7 * i as f32;
            Vec3::new(0.004 * cos(angle), -0.005 * i as f32, 0.004 * sin(angle))
        };
        (0..points).map(curl).collect::<Vec<_>>()
    };
    let pushed = |strands: &[Vec<Vec3>]| {
        let mut starts = vec![0];
        for strand in strands {
            starts.push(starts[starts.len() - 1] + strand.len() as u32);
        }
        let groom = crate::groom::Groom {
            points: strands.concat(),
            starts,
            masses: vec![1.0; strands.len()],
            ..crate::groom::Groom::default()
        };
        let pose = crate::math::Pose::IDENTITY;
        let mut block = Block::<F<4>>::new(&groom, 0, strands.len(), &pose);
        // Behind the tip there may be anything.
        for row in 6..block.rows {
            block.position[row].set(0, [0.3, 0.2, 0.1 * row as f64]);
        }
        for (i, velocity) in block.velocity.iter_mut().enumerate() {
            velocity.set(0, [0.1, -0.2, 0.03 * i as f64]);
        }
        let mut acceleration = vec![V3::zero(); block.rows];
        air(|_| {}).accelerate(&block, &mut acceleration);
        (0..6)
            .map(|i| acceleration[i].get(0).map(f64::to_bits))
            .collect::<Vec<_>>()
    };
    let alone = pushed(&[strand(6, 0.3)]);
    assert_eq!(alone, pushed(&[strand(6, 0.3), strand(9, 1.0)]));
}

/// A strand along and one across the wind.
#[test]
fn air_drags_less_along_a_strand_than_across() {
    let mut params = SimParams::default();
    params.forces.drag = 1.5;
    params.wind.on = true;
    params.wind.strength = 4.0;
    params.wind.oscillation = 0.0;
    params.wind.turbulence = 0.0;
    params.wind.direction = [1.0, 0.0, 0.0];
    let air = WindState::steady(&params, 0.0);
    let pushed = |way: Vec3, velocity: DVec3| {
        let groom = crate::groom::Groom {
            points: (0..6).map(|i| way * (0.01 * i as f32)).collect(),
            starts: vec![0, 6],
            masses: vec![1.0],
            ..crate::groom::Groom::default()
        };
        let mut block = Block::<f64>::new(&groom, 0, 1, &crate::math::Pose::IDENTITY);
        block.velocity.fill(V3::splat(velocity.to_array()));
        let mut acceleration = vec![V3::zero(); block.rows];
        air.accelerate(&block, &mut acceleration);
        // With the drag that every method has of its own.
        DVec3::from(acceleration[3].get(0)) - velocity * 1.5
    };
    let (still, rides) = (DVec3::ZERO, DVec3::X * 4.0);
    assert!(pushed(Vec3::Y, still).distance(DVec3::X * 6.0) < 1e-9);
    assert!(pushed(Vec3::X, still).distance(DVec3::X * 2.1) < 1e-6);
    assert!(pushed(Vec3::X, rides).length() < 1e-6, "with the wind");
    let askew = pushed(Vec3::new(0.6, 0.8, 0.0), still);
    // It is blown aside: more across than along.
    let wanted = DVec3::X * 6.0 - DVec3::new(0.6, 0.8, 0.0) * (0.65 * 6.0 * 0.6);
    assert!(askew.distance(wanted) < 1e-6, "{askew}");
}
