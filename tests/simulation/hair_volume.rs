//! Hair among hair: what strands do to one another through the grid.

use crate::common::{falling, groom, straight};
use glam::{DVec3, Quat, Vec3};
use lovelock::{
    groom::{Bundle, Groom, GroomParams, grow},
    math::{Pose, lanes::Lane},
    mesh::{CollisionMesh, HeadParams, RootParams, load, scatter},
    param::{Kind, Params, Value},
    sim::{
        MotionPreset, Repulsion, SimParams, Simulation, VolumeParams,
        solver::{Integrator, PbdParams, RodParams, SOLVERS, ShapeParams, SpringParams},
        state::StrandState,
        volume::{GridMotion, HairVolume, SlicePlane},
    },
};
use std::sync::Arc;

const DT: f64 = 1.0 / 60.0;

/// A block of parallel strands along x, `side` strands wide and high, `gap`
/// apart, of vertices as far apart.
fn thicket(side: usize, gap: f32, vertices: usize) -> Groom {
    let mut strands = Vec::new();
    for y in 0..side {
        for z in 0..side {
            let root = Vec3::new(0.0, y as f32 * gap, z as f32 * gap);
            let length = gap * (vertices - 1) as f32;
            strands.push(straight(root, Vec3::X, length, vertices));
        }
    }
    groom(&strands)
}

fn params() -> VolumeParams {
    VolumeParams {
        on: true,
        ..VolumeParams::default()
    }
}

/// Calls `deed` with every free vertex: its place and its velocity.
fn each(state: &mut StrandState, mut deed: impl FnMut(DVec3, DVec3) -> DVec3) {
    for block in &mut state.blocks {
        for lane in 0..block.strands {
            for i in block.pinned..block.counts[lane] {
                let place = block.point(i, lane);
                let velocity = DVec3::from(block.velocity[i].get(lane));
                let velocity = deed(place, velocity).to_array();
                block.velocity[i].set(lane, velocity);
            }
        }
    }
}

fn act(state: &mut StrandState, params: &VolumeParams) {
    let ride = GridMotion::still(Pose::IDENTITY);
    HairVolume::default().act(state, &ride, params, DT);
}

/// Numbers without pattern, -1 to 1.
fn noise(seed: &mut u64) -> f64 {
    *seed = seed
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 33) as f64 / f64::from(1u32 << 30) - 1.0
}

fn noisy(seed: &mut u64) -> DVec3 {
    DVec3::new(noise(seed), noise(seed), noise(seed))
}

/// Sum over free vertices of mass (length of hair times the strand's own
/// share; a tip has half a segment) times velocity, and the sum of the amounts.
fn momentum(state: &mut StrandState) -> (DVec3, f64) {
    let (mut sum, mut amount) = (DVec3::ZERO, 0.0);
    for block in &state.blocks {
        for lane in 0..block.strands {
            let count = block.counts[lane];
            let ends = [0, count - 1].map(|i| DVec3::from(block.rest[i].get(lane)));
            let segment = ends[0].distance(ends[1]) / (count - 1) as f64;
            let mass = segment / block.inverse_mass.get(lane);
            for i in block.pinned..count {
                let mass = if i + 1 == count { 0.5 * mass } else { mass };
                let v = DVec3::from(block.velocity[i].get(lane));
                sum += mass * v;
                amount += mass * v.length();
            }
        }
    }
    (sum, amount)
}

#[test]
fn friction_keeps_the_momentum_to_rounding() {
    // Strands of unequal mass and length, some with segments longer than a cell.
    let mut seed = 7;
    let strands: Vec<Vec<Vec3>> = (0..300)
        .map(|i| {
            let root = (0.04 * noisy(&mut seed)).as_vec3();
            let way = noisy(&mut seed).as_vec3().normalize();
            straight(root, way, 0.05 + 0.002 * (i % 100) as f32, 6 + i % 20)
        })
        .collect();
    let mut groom = groom(&strands);
    for mass in &mut groom.masses {
        *mass = (1.0 + 0.8 * noise(&mut seed)) as f32;
    }
    let mut state = StrandState::new(&groom, &Pose::IDENTITY);
    each(&mut state, |_, _| {
        2.0 * noisy(&mut seed) + DVec3::new(0.5, 0.0, 0.0)
    });
    let mut gentle = params();
    (gentle.repulsion, gentle.friction) = (0.0, 0.6);
    let mut volume = HairVolume::default();
    let ride = GridMotion::still(Pose::IDENTITY);
    let (start, amount) = momentum(&mut state);
    for step in 0..20 {
        volume.act(&mut state, &ride, &gentle, DT);
        let (now, _) = momentum(&mut state);
        let change = (now - start).length() / amount;
        println!("step {step}: momentum changed by {change:.1e} of all that moves");
        assert!(change < 2e-6, "{change}");
    }
    let (_, left) = momentum(&mut state);
    assert!(left < 0.6 * amount, "friction must act: {left} of {amount}");
}

#[test]
fn a_uniform_block_of_hair_is_not_pushed() {
    let groom = thicket(30, 0.004, 31);
    let mut state = StrandState::new(&groom, &Pose::IDENTITY);
    let mut push = params();
    (push.friction, push.repulsion) = (0.0, 5.0);
    act(&mut state, &push);
    each(&mut state, |place, velocity| {
        assert_eq!(velocity, DVec3::ZERO, "hair at rest at {place}");
        velocity
    });
    // Pressed together to two thirds: the inside still is uniform, and the
    // outside is pushed outwards.
    for block in &mut state.blocks {
        for row in &mut block.position {
            for c in [&mut row.y, &mut row.z] {
                c.0.iter_mut().for_each(|c| *c *= 0.667);
            }
        }
        for c in [&mut block.root.y, &mut block.root.z] {
            c.0.iter_mut().for_each(|c| *c *= 0.667);
        }
        // The block's place is kept by the vertices alone.
        for lane in 0..32 {
            let shift = DVec3::from(block.root.get(lane)) - DVec3::from(block.root_rest.get(lane));
            for row in &mut block.position {
                let p = DVec3::from(row.get(lane)) + shift;
                row.set(lane, p.to_array());
            }
        }
        block.root = block.root_rest;
    }
    push.repulsion = 0.1;
    act(&mut state, &push);
    let middle = 0.5 * 29.0 * 0.004 * 0.667;
    let (mut inside, mut outside) = (0.0f64, f64::MAX);
    let mut outer = 0;
    each(&mut state, |place, velocity| {
        let off = DVec3::new(0.0, place.y - middle, place.z - middle);
        let along = (0.045..0.075).contains(&place.x);
        if along && off.abs().max_element() < 0.015 {
            inside = inside.max(velocity.length());
        } else if along && off.abs().max_element() > 0.037 && off.y.abs() > 2.0 * off.z.abs() {
            outside = outside.min(velocity.dot(off.normalize()));
            outer += 1;
        }
        velocity
    });
    println!("pressed: {inside:.4} m/s inside, at least {outside:.4} m/s outwards at the edge");
    assert!(outer > 20 && outside > 0.02, "{outer} {outside}");
    assert!(inside < 0.1 * outside, "{inside} {outside}");
}

/// Densities at the nodes of the cut square to `axis` at `place` that lie between
/// `low` and `high` in both other directions.
fn densities(state: &StrandState, cut: SlicePlane, low: f32, high: f32) -> Vec<f64> {
    let ride = GridMotion::still(Pose::IDENTITY);
    let slice = HairVolume::default().slice(state, &ride, &params(), &cut);
    let nodes = slice.nodes.iter().enumerate().filter(|(i, _)| {
        let (a, b) = (i / slice.size[1], i % slice.size[1]);
        let at = slice.corner + slice.steps[0] * a as f32 + slice.steps[1] * b as f32;
        (0..3).all(|axis| axis == cut.axis || (low..high).contains(&at[axis]))
    });
    nodes.map(|(_, spot)| f64::from(spot.density)).collect()
}

#[test]
fn a_slice_of_wider_cells_reaches_as_far_as_the_hair() {
    let mut all = thicket(31, 0.0025, 31);
    // Guides of bundles so wide have cells of 20 mm.
    let radius = 0.01;
    all.bundles = vec![
        Bundle {
            strands: 4.0,
            radius
        };
        all.strands()
    ];
    let state = StrandState::new(&all, &Pose::IDENTITY);
    let (axis, place) = (0, 0.04);
    let ride = GridMotion::still(Pose::IDENTITY);
    let cut = SlicePlane { axis, place };
    let slice = HairVolume::default().slice(&state, &ride, &params(), &cut);
    for (step, size) in slice.steps.iter().zip(slice.size) {
        let along = step.normalize();
        let end = (slice.corner + *step * (size - 1) as f32).dot(along);
        assert!((step.length() - 2.0 * radius).abs() < 1e-6, "{step}");
        // Thirty spaces of 2.5 mm, and up to two cells where there is no more hair.
        assert!((0.075..0.075 + 4.0 * radius).contains(&end), "{end}");
    }
}

#[test]
fn a_slice_reads_the_density_that_was_planted() {
    // Four strands and vertices to a cell of 10 mm: each node has just what was
    // planted, 1 / (2.5 mm)².
    let state = StrandState::new(&thicket(31, 0.0025, 31), &Pose::IDENTITY);
    for axis in 0..3 {
        for place in [0.031, 0.04] {
            let cut = SlicePlane { axis, place };
            let found = densities(&state, cut, 0.015, 0.06);
            assert!(found.len() >= 9, "{}", found.len());
            for density in found {
                assert!((density / 160_000.0 - 1.0).abs() < 1e-3, "{density}");
            }
        }
    }
    // Two and a half to a cell: strands as regular as these beat with the cells,
    // by an eighth from node to node.
    let regular = StrandState::new(&thicket(19, 0.004, 19), &Pose::IDENTITY);
    let cut = SlicePlane {
        axis: 0,
        place: 0.036,
    };
    for density in densities(&regular, cut, 0.015, 0.055) {
        assert!((density / 62_500.0 - 1.0).abs() < 0.13, "{density}");
    }
    // Hair that stands as dense without that order has the same mean.
    let (mut seed, mut strands) = (3, Vec::new());
    for y in 0..60 {
        for z in 0..60 {
            let off = 0.004 * noisy(&mut seed).as_vec3();
            let root = Vec3::new(0.0, y as f32, z as f32) * 0.004 + off;
            strands.push(straight(root, Vec3::X, 0.12, 31));
        }
    }
    let irregular = StrandState::new(&groom(&strands), &Pose::IDENTITY);
    let (mut sum, mut count) = (0.0, 0.0);
    for place in [0.04, 0.047, 0.054, 0.061, 0.068] {
        let found = densities(&irregular, SlicePlane { axis: 0, place }, 0.03, 0.205);
        sum += found.iter().sum::<f64>();
        count += found.len() as f64;
    }
    let mean = sum / count;
    println!("{mean:.0} hairs through a square metre of 62,500 planted");
    assert!((mean / 62_500.0 - 1.0).abs() < 0.01, "{mean}");
}

#[test]
fn the_grid_has_all_hair_that_is_free() {
    // Strands aslant; in some, segments are longer than a cell.
    let mut seed = 11;
    let strands: Vec<Vec<Vec3>> = (0..200)
        .map(|i| {
            let root = (0.04 * noisy(&mut seed)).as_vec3();
            let way = noisy(&mut seed).as_vec3().normalize();
            straight(root, way, 0.05 + 0.002 * (i % 100) as f32, 5 + i % 30)
        })
        .collect();
    let groom = groom(&strands);
    let state = StrandState::new(&groom, &Pose::IDENTITY);
    // Two vertices of each are pinned; the others have a segment's length each, and
    // the tip has half of one.
    let planted: f64 = strands
        .iter()
        .map(|strand| {
            let segment = f64::from(strand[0].distance(strand[1]));
            segment * (strand.len() as f64 - 2.5)
        })
        .sum();
    for axis in 0..3 {
        // Cuts a cell apart share out what lies between them.
        let found: f64 = (-40..40)
            .flat_map(|i| {
                let place = 0.01 * i as f32 + 0.003;
                densities(&state, SlicePlane { axis, place }, -1.0, 1.0)
            })
            .sum();
        let found = found * 0.01f64.powi(3);
        println!("{found:.4} m of {planted:.4} m");
        assert!((found / planted - 1.0).abs() < 1e-4, "{found} {planted}");
    }
}

#[test]
fn hair_that_was_combed_together_is_soon_used_to_it() {
    let groom = thicket(20, 0.004, 26);
    let mut state = StrandState::new(&groom, &Pose::IDENTITY);
    let ride = GridMotion::still(Pose::IDENTITY);
    let mut push = params();
    push.friction = 0.0;
    let mut volume = HairVolume::default();
    volume.act(&mut state, &ride, &push, DT);
    // Each strand is drawn half-way to the block's edge, at rest as it lies now.
    for block in &mut state.blocks {
        for lane in 0..block.strands {
            let root = DVec3::from(block.root_rest.get(lane));
            for (rest, position) in block.rest.iter_mut().zip(&mut block.position) {
                let p = DVec3::from(rest.get(lane)) - 0.5 * DVec3::new(0.0, root.y, root.z);
                rest.set(lane, p.to_array());
                position.set(lane, p.to_array());
            }
        }
    }
    state.edits += 1;
    let mut pushed = Vec::new();
    for _ in 0..30 {
        each(&mut state, |_, _| DVec3::ZERO);
        volume.act(&mut state, &ride, &push, DT);
        let mut most = 0.0f64;
        each(&mut state, |_, velocity| {
            most = most.max(velocity.length());
            velocity
        });
        pushed.push(most);
    }
    println!("pushed by {pushed:.3?} m/s");
    assert!(pushed[0] > 0.1, "four times as dense: {}", pushed[0]);
    assert_eq!(pushed[29], 0.0);
}

#[test]
fn crowded_hair_is_pushed_no_harder_than_it_can_bear() {
    let groom = thicket(20, 0.004, 26);
    let mut hard = params();
    (hard.friction, hard.repulsion) = (0.0, 5.0);
    let mut state = StrandState::new(&groom, &Pose::IDENTITY);
    for block in &mut state.blocks {
        for lane in 0..32 {
            let root = DVec3::from(block.root_rest.get(lane));
            for row in &mut block.position {
                let p = DVec3::from(row.get(lane)) - 0.8 * DVec3::new(0.0, root.y, root.z);
                row.set(lane, p.to_array());
            }
        }
    }
    act(&mut state, &hard);
    let most = 0.3 * f64::from(hard.cell) / DT;
    let mut largest = 0.0f64;
    each(&mut state, |_, velocity| {
        largest = largest.max(velocity.length());
        velocity
    });
    assert!(
        largest > 0.5 * most && largest < 1.001 * most,
        "{largest} {most}"
    );
}

#[test]
fn the_normalised_gradient_pushes_out_of_hair_alike_at_any_density() {
    let speed = |gap: f32| {
        let groom = thicket(12, gap, 30);
        let mut state = StrandState::new(&groom, &Pose::IDENTITY);
        let mut push = params();
        (push.friction, push.form, push.shift) = (0.0, Repulsion::Normalised, 0.1);
        act(&mut state, &push);
        let middle = 0.5 * 11.0 * f64::from(gap);
        let mut found = Vec::new();
        each(&mut state, |place, velocity| {
            let top = place.y > 1.99 * middle && (place.z - middle).abs() < 0.4 * middle;
            if top && (0.02..0.05).contains(&place.x) {
                found.push(velocity.y);
                assert!(velocity.y > 0.0, "outwards: {velocity} at {place}");
            }
            velocity
        });
        assert!(found.len() > 5);
        found.iter().sum::<f64>() / found.len() as f64
    };
    // s / dt: 0.1 mm in 1/60 s, whatever the slope.
    let (dense, thin) = (speed(0.003), speed(0.005));
    assert!((dense - 0.006).abs() < 2e-4, "{dense}");
    assert!((thin - 0.006).abs() < 6e-4, "{thin}");
}

/// Two interleaved layers that move against each other.
fn against_each_other(rate: f64, seconds: f64, friction: f32) -> [f64; 2] {
    let groom = thicket(16, 0.004, 20);
    let mut state = StrandState::new(&groom, &Pose::IDENTITY);
    let gap = 0.004;
    let layer = |place: DVec3| {
        if (place.y / gap).round() as i64 % 2 == 0 {
            1.0
        } else {
            -1.0
        }
    };
    each(&mut state, |place, _| DVec3::new(layer(place), 0.0, 0.0));
    let mut gentle = params();
    (gentle.repulsion, gentle.friction) = (0.0, friction);
    let mut volume = HairVolume::default();
    let ride = GridMotion::still(Pose::IDENTITY);
    for _ in 0..(seconds * rate).round() as usize {
        volume.act(&mut state, &ride, &gentle, 1.0 / rate);
    }
    let mut speeds = [0.0; 2];
    let mut counts = [0.0; 2];
    each(&mut state, |place, velocity| {
        let side = usize::from(layer(place) < 0.0);
        speeds[side] += velocity.x;
        counts[side] += 1.0;
        velocity
    });
    [speeds[0] / counts[0], speeds[1] / counts[1]]
}

#[test]
fn layers_that_move_against_each_other_slow_each_other() {
    let [with, against] = against_each_other(60.0, 0.5, 0.05);
    // Alone a vertex would keep its speed; here each loses what the other has:
    // exp(-0.5 s x 60/s x 0.0513) = 0.21 where layers cancel in every cell.
    println!("after half a second: {with:.3} and {against:.3} m/s");
    assert!((with + against).abs() < 1e-3);
    assert!((0.15..0.35).contains(&with), "{with}");
}

#[test]
fn friction_is_the_same_at_any_step_rate() {
    let [slow, _] = against_each_other(30.0, 0.4, 0.05);
    let [usual, _] = against_each_other(60.0, 0.4, 0.05);
    let [fast, _] = against_each_other(240.0, 0.4, 0.05);
    println!("at 30, 60 and 240 steps a second: {slow:.4}, {usual:.4}, {fast:.4}");
    for other in [slow, fast] {
        assert!((other / usual - 1.0).abs() < 0.02, "{other} {usual}");
    }
}

#[test]
fn hair_that_rides_on_a_moving_head_feels_nothing() {
    let groom = thicket(16, 0.004, 20);
    let mut state = StrandState::new(&groom, &Pose::IDENTITY);
    // The head turns by 3 rad/s, flies by 2 m/s and stands aslant.
    let h = DT / 4.0;
    let before = Pose {
        rotation: Quat::from_rotation_z(0.7),
        translation: Vec3::new(0.3, -0.2, 0.9),
    };
    let turn = Quat::from_axis_angle(Vec3::new(0.6, 0.8, 0.0), (3.0 * h) as f32);
    let now = Pose {
        rotation: (turn * before.rotation).normalize(),
        translation: before.translation + Vec3::new(0.0, 0.0, (2.0 * h) as f32),
    };
    let ride = GridMotion {
        now,
        before,
        seconds: h,
    };
    for block in &mut state.blocks {
        block.reset(&now);
        for lane in 0..block.strands {
            for i in block.pinned..block.counts[lane] {
                let rest =
                    DVec3::from(block.rest[i].get(lane)) + DVec3::from(block.root_rest.get(lane));
                let at =
                    |pose: &Pose| pose.rotation.as_dquat() * rest + pose.translation.as_dvec3();
                block.velocity[i].set(lane, ((at(&now) - at(&before)) / h).to_array());
            }
        }
    }
    let mut all = params();
    (all.friction, all.repulsion) = (1.0, 5.0);
    let mut then = Vec::new();
    each(&mut state, |_, velocity| {
        then.push(velocity);
        velocity
    });
    assert!(then.iter().any(|v| v.length() > 2.0));
    HairVolume::default().act(&mut state, &ride, &all, DT);
    let mut largest = 0.0f64;
    let mut i = 0;
    each(&mut state, |_, velocity| {
        largest = largest.max(velocity.distance(then[i]));
        i += 1;
        velocity
    });
    println!("changed by {largest:.1e} m/s at most");
    assert!(largest < 1e-3, "{largest}");
}

fn stage(strands: u32, vertices: u32) -> (Arc<CollisionMesh>, Arc<Groom>) {
    let head = load(&HeadParams::default()).expect("the built-in head");
    let body = Arc::new(CollisionMesh::new(head.mesh, 0.005));
    let roots = RootParams {
        strands,
        ..RootParams::default()
    };
    let roots = scatter::roots(&body.mesh, &roots).expect("roots");
    let groom = GroomParams {
        vertices,
        ..GroomParams::default()
    };
    let groom = Arc::new(grow::grow(&roots, &groom, 1, &body));
    (body, groom)
}

#[test]
fn hair_that_sits_on_a_turning_head_stays_as_it_would_without() {
    let (body, groom) = stage(300, 24);
    // At full strength the hairstyle moves rigidly with the head.
    let mut params = falling();
    params.step.solver = "shape".into();
    params.of_mut::<ShapeParams>().global = 1.0;
    params.of_mut::<ShapeParams>().global_tip = 1.0;
    params.forces.drag = 0.0;
    params.motion.preset = MotionPreset::Shake;
    (params.motion.amplitude, params.motion.frequency) = (40.0, 1.0);
    let run = |on: bool| {
        let mut params = params.clone();
        params.volume.on = on;
        (params.volume.friction, params.volume.repulsion) = (0.9, 2.0);
        let mut simulation = Simulation::new(groom.clone(), body.clone(), &params);
        (0..90).for_each(|_| simulation.step(&params));
        let mut positions = Vec::new();
        simulation.write_positions(&mut positions);
        positions
    };
    let (with, without) = (run(true), run(false));
    let apart = with.iter().zip(&without).map(|(a, b)| a.distance(*b));
    let apart = apart.fold(0.0, f32::max);
    println!("{:.3} mm apart", 1e3 * apart);
    assert!(apart < 1e-3, "{apart}");
}

#[test]
fn bits_do_not_depend_on_the_number_of_threads() {
    for form in [Repulsion::Clamped, Repulsion::Normalised] {
        for method in SOLVERS.iter() {
            let mut params = falling();
            params.step.solver = method.id.into();
            params.wind.on = true;
            params.volume.on = true;
            params.volume.form = form;
            (params.volume.friction, params.volume.repulsion) = (0.3, 2.0);
            params.of_mut::<RodParams>().integrator = Integrator::Bdf2;
            let run = |threads: usize| {
                let pool = rayon::ThreadPoolBuilder::new()
                    .num_threads(threads)
                    .build()
                    .expect("a pool");
                pool.install(|| {
                    let (body, groom) = stage(200, 16);
                    let mut simulation = Simulation::new(groom, body, &params);
                    (0..24).for_each(|_| simulation.step(&params));
                    simulation.state_hash()
                })
            };
            let [one, two, three] = [1, 2, 3].map(run);
            assert_eq!([one, one], [two, three], "{} {}", method.id, form.name());
        }
    }
}

#[test]
fn bits_of_much_hair_do_not_depend_on_the_number_of_threads() {
    // So much that it is summed in several parts.
    let groom = thicket(95, 0.004, 24);
    let act = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("a pool");
        pool.install(|| {
            let mut state = StrandState::new(&groom, &Pose::IDENTITY);
            let mut seed = 5;
            each(&mut state, |_, _| noisy(&mut seed));
            for block in &mut state.blocks {
                for row in &mut block.position {
                    row.y.0.iter_mut().for_each(|y| *y *= 0.9);
                }
            }
            let mut push = params();
            (push.friction, push.repulsion) = (0.3, 2.0);
            let mut volume = HairVolume::default();
            for _ in 0..3 {
                volume.act(&mut state, &GridMotion::still(Pose::IDENTITY), &push, DT);
            }
            state.hash()
        })
    };
    let one = act(1);
    for threads in [2, 3, 5] {
        assert_eq!(one, act(threads), "{threads} threads");
    }
}

#[test]
fn every_end_of_every_slider_leaves_finite_hair_in_every_method() {
    let (body, groom) = stage(64, 12);
    let ends = |params: &VolumeParams, high: bool| {
        let mut params = params.clone();
        for (index, tunable) in params.tunables().iter().enumerate() {
            if let Kind::Float { range, .. } = &tunable.kind {
                let end = if high { *range.end() } else { *range.start() };
                params.set(index, Value::Float(end)).expect("in range");
            }
        }
        params
    };
    for method in SOLVERS.iter() {
        for form in [Repulsion::Clamped, Repulsion::Normalised] {
            for high in [false, true] {
                let mut params = falling();
                params.step.solver = method.id.into();
                params.volume = ends(&params.volume, high);
                (params.volume.on, params.volume.form) = (true, form);
                params.motion.preset = MotionPreset::Shake;
                (params.motion.amplitude, params.motion.frequency) = (60.0, 3.0);
                let mut simulation = Simulation::new(groom.clone(), body.clone(), &params);
                (0..60).for_each(|_| simulation.step(&params));
                let statistics = simulation.statistics(&params);
                assert_eq!(statistics.nonfinite, 0, "{} {high}", method.id);
                let mut positions = Vec::new();
                simulation.write_positions(&mut positions);
                assert!(positions.iter().all(|p| p.is_finite() && p.length() < 5.0));
            }
        }
    }
}

#[test]
fn a_copy_goes_the_same_way_and_off_is_off() {
    let (body, groom) = stage(120, 16);
    let mut params = falling();
    params.volume.on = true;
    let mut simulation = Simulation::new(groom, body, &params);
    (0..20).for_each(|_| simulation.step(&params));
    let mut copy = simulation.clone();
    let mut without = simulation.clone();
    let mut off = params.clone();
    off.volume.on = false;
    for _ in 0..20 {
        simulation.step(&params);
        copy.step(&params);
        without.step(&off);
    }
    assert_eq!(simulation.state_hash(), copy.state_hash());
    assert_ne!(simulation.state_hash(), without.state_hash());
}

/// So many seconds on a head that rests; the space filled then, as a share of
/// that filled in the beginning.
fn kept(method: &str, strands: u32, seconds: u32, on: bool, params: &SimParams) -> f64 {
    let (body, groom) = stage(strands, 64);
    let mut params = params.clone();
    params.step.solver = method.into();
    params.motion.preset = MotionPreset::None;
    params.volume.on = on;
    let mut simulation = Simulation::new(groom, body, &params);
    let start = simulation.volume();
    (0..60 * seconds).for_each(|_| simulation.step(&params));
    let end = simulation.volume();
    println!(
        "{method}, {strands} strands, {}: {:.2} l of {:.2} l, {:.1} %",
        if on { "with" } else { "without" },
        1e3 * end,
        1e3 * start,
        100.0 * end / start
    );
    end / start
}

#[test]
fn curly_volume_stays_volume() {
    for method in ["pbd", "rod"] {
        let share = kept(method, 2000, 10, true, &SimParams::default());
        assert!((0.85..1.15).contains(&share), "{method}");
    }
    // Hair that nothing holds hangs down, and the measure tells.
    let mut limp = falling();
    limp.of_mut::<PbdParams>().bend_stiffness = 0.0;
    limp.of_mut::<PbdParams>().twist_stiffness = 0.0;
    limp.of_mut::<PbdParams>().shape_stiffness = 0.0;
    assert!(kept("pbd", 2000, 10, false, &limp) < 0.7);
}

#[test]
fn volumes_of_all_methods() {
    // The rest state carries the weight, in every method.
    for method in SOLVERS.iter() {
        let share = kept(method.id, 150, 1, true, &SimParams::default());
        assert!((0.85..1.15).contains(&share), "{}", method.id);
    }
    // Springs sag at the roots where the frames that hold them see but a short
    // stretch of the strand.
    let mut near = falling();
    near.of_mut::<SpringParams>().bend_smoothing = 20.0;
    assert!(kept("spring", 150, 1, true, &near) < 0.85);
}

#[test]
fn volume_is_the_space_that_hair_fills() {
    // A block of 10 cm x 72 mm x 72 mm.
    let groom = thicket(19, 0.004, 26);
    let state = StrandState::new(&groom, &Pose::IDENTITY);
    let volume = lovelock::sim::volume::volume(&state, &GridMotion::still(Pose::IDENTITY));
    // Counted in cells of 1 cm: an edge may reach one cell farther.
    let (block, blurred) = (0.1 * 0.072 * 0.072, 0.12 * 0.092 * 0.092);
    assert!((block..blurred).contains(&volume), "{volume} of {block}");
}
