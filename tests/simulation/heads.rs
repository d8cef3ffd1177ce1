//! Heads and awkward files made by other people; skipped where they are absent.

#![allow(clippy::unwrap_used)]

use glam::Vec3;
use lovelock::{
    math::random,
    mesh::{self, DistanceGrid, HeadParams, Mesh, ModelKind, RootParams, Surface, Units, Up, obj},
};
use std::path::Path;

use crate::inputs::inputs;

#[test]
fn every_head_loads_in_its_own_unit() {
    let Some(folder) = inputs() else { return };
    // name, v, tris, unit, height in centimetres
    let table = [
        ("digitalsalon_Head.OBJ", 12466, 24820, Units::Metres, 32.9),
        (
            "digitalsalon_female_head.obj",
            10822,
            21510,
            Units::Centimetres,
            28.4,
        ),
        (
            "digitalsalon_wig_head.obj",
            964,
            1920,
            Units::Centimetres,
            20.9,
        ),
        (
            "ict_generic_neutral.obj",
            26719,
            52220,
            Units::Centimetres,
            33.8,
        ),
        ("makehuman_base.obj", 19158, 36972, Units::Decimetres, 166.6),
        ("suzanne_uv.obj", 507, 968, Units::Decimetres, 19.7),
    ];
    for (name, vertices, triangles, units, height) in table {
        let path = folder.join("heads").join(name);
        let file = obj::read(&path).unwrap();
        println!("{name}: {:?} {:?}", file.bounds, file.warnings);
        assert_eq!(
            (file.vertices, file.triangles),
            (vertices, triangles),
            "{name}"
        );
        let params = HeadParams {
            file: path.to_string_lossy().into_owned(),
            ..HeadParams::default()
        };
        let head = mesh::load(&params).unwrap();
        println!("{:?}", head.report);
        assert!(!head.report.unsure, "{name}");
        assert!((0.14..0.3).contains(&head.report.head), "{name}");
        assert_eq!(
            head.report.kind == ModelKind::Body,
            name == "makehuman_base.obj"
        );
        assert_eq!(
            (head.report.units, head.report.up),
            (units, Up::Y),
            "{name}"
        );
        assert!(
            (100.0 * head.report.height - height).abs() < 0.01 * height + 0.06,
            "{name}: {}",
            head.report.height
        );
        // The same head as Blender would have it, z up, the face towards -y.
        let mut turned = file.clone();
        for p in &mut turned.mesh.positions {
            *p = Vec3::new(p.x, -p.z, p.y);
        }
        let upright = mesh::load::place(turned, &HeadParams::default()).unwrap();
        assert_eq!(
            (upright.report.units, upright.report.up),
            (units, Up::Z),
            "{name}"
        );
        let moved = upright.mesh.bounds()[0].distance(head.mesh.bounds()[0]);
        assert!(moved < 1e-5, "{name} {moved}");
        let roots = mesh::roots(&head.mesh, &RootParams::default()).unwrap();
        assert_eq!(roots.len(), RootParams::default().strands as usize);
    }
}

#[test]
fn the_clear_layers_over_the_eyes_of_a_head_are_left_out_and_its_eyeballs_are_known() {
    let Some(folder) = inputs() else { return };
    let path = folder.join("heads/ict_generic_neutral.obj");
    let params = HeadParams {
        file: path.to_string_lossy().into_owned(),
        ..HeadParams::default()
    };
    let head = mesh::load(&params).unwrap();
    println!("{}", head.report.summary);
    let layers = [
        "M_LacrimalFluid",
        "M_EyeBlend",
        "M_EyeOcclusion",
        "M_EyeLashes",
    ];
    let told = format!("are left out ({})", layers.join(", "));
    assert!(head.report.summary.contains(&told));
    let mesh = &head.mesh;
    let material =
        |triangle: usize| &mesh.materials[mesh.triangle_material[triangle] as usize].name[..];
    let eyes = mesh.eye_triangles();
    for (triangle, is_eye) in eyes.iter().enumerate() {
        let name = material(triangle);
        assert!(!layers.contains(&name));
        let named = name.starts_with("M_Sclera") || name.starts_with("M_Iris");
        assert_eq!(*is_eye, named, "{name}");
    }
    assert!(eyes.contains(&true));
    for root in mesh::roots(mesh, &RootParams::default()).unwrap() {
        assert!(!eyes[root.triangle as usize]);
    }
}

/// The faces of a head where hair grows, alone, as OBJ text in the head's unit.
fn scalp_of(mesh: &Mesh, unit: f32, turn: impl Fn(Vec3) -> Vec3) -> String {
    let params = RootParams {
        strands: 20_000,
        sequence: mesh::Sequence::Halton,
        ..RootParams::default()
    };
    let mut faces: Vec<u32> = mesh::roots(mesh, &params)
        .unwrap()
        .iter()
        .map(|root| root.triangle)
        .collect();
    faces.sort_unstable();
    faces.dedup();
    let mut text = String::new();
    for p in &mesh.positions {
        let p = turn(*p) / unit;
        text += &format!("v {} {} {}\n", p.x, p.y, p.z);
    }
    for face in faces {
        let [a, b, c] = mesh.triangles[face as usize];
        text += &format!("f {} {} {}\n", a + 1, b + 1, c + 1);
    }
    text
}

#[test]
fn the_scalp_of_every_head_alone_is_read_upright() {
    let Some(folder) = inputs() else { return };
    for name in [
        "digitalsalon_Head.OBJ",
        "digitalsalon_female_head.obj",
        "digitalsalon_wig_head.obj",
        "ict_generic_neutral.obj",
        "makehuman_base.obj",
        "suzanne_uv.obj",
    ] {
        let file = folder.join("heads").join(name);
        let params = HeadParams {
            file: file.to_string_lossy().into_owned(),
            ..HeadParams::default()
        };
        let mesh = mesh::load(&params).unwrap().mesh;
        for up in [Up::Y, Up::Z] {
            let text = scalp_of(&mesh, 0.01, |p| match up {
                Up::Z => Vec3::new(p.x, -p.z, p.y),
                _ => p,
            });
            let read = obj::parse(text.as_bytes(), Path::new("scalp.obj")).unwrap();
            let head = mesh::load::place(read, &HeadParams::default()).unwrap();
            println!(
                "{name}, {up:?}: {}, {}",
                head.report.summary, head.report.head
            );
            assert_eq!(
                (head.report.up, head.report.units),
                (up, Units::Centimetres),
                "{name}"
            );
        }
    }
}

/// Solid angles of all triangles as seen from `p`, over 4π (van Oosterom &
/// Strackee 1983): about one inside a mesh with holes, about zero outside.
fn winding(mesh: &Mesh, p: Vec3) -> f64 {
    let angle = |i: usize| {
        let [a, b, c] = mesh.corners(i).map(|q| (q - p).as_dvec3());
        let (la, lb, lc) = (a.length(), b.length(), c.length());
        let below = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
        2.0 * a.dot(b.cross(c)).atan2(below)
    };
    (0..mesh.triangles.len()).map(angle).sum::<f64>() / (4.0 * std::f64::consts::PI)
}

#[test]
fn the_grid_of_every_head_knows_inside_from_outside() {
    let Some(folder) = inputs() else { return };
    for name in [
        "digitalsalon_Head.OBJ",
        "digitalsalon_female_head.obj",
        "digitalsalon_wig_head.obj",
        "ict_generic_neutral.obj",
        "makehuman_base.obj",
        "suzanne_uv.obj",
    ] {
        let params = HeadParams {
            file: folder
                .join("heads")
                .join(name)
                .to_string_lossy()
                .into_owned(),
            ..HeadParams::default()
        };
        let mesh = mesh::load(&params).unwrap().mesh;
        let surface = Surface::new(&mesh);
        let grid = DistanceGrid::bake(&mesh, &surface, 0.004, 0.03);
        let [min, max] = mesh.bounds();
        // Of a body only the head is of interest.
        let min = min.with_y(min.y.max(max.y - 0.35));
        let (mut checked, mut unclear, mut wrong) = ([0; 2], 0, Vec::new());
        for i in 0..600 {
            let t = Vec3::from_array([0, 1, 2].map(|k| random::uniform(k, i)));
            let p = min - 0.02 + t * (max - min + 0.04);
            let (value, solid) = (grid.sample(p), winding(&mesh, p));
            if value.abs() < 0.004 {
                continue;
            }
            match solid {
                0.9.. => checked[1] += 1,
                ..0.1 => checked[0] += 1,
                _ => unclear += 1,
            }
            if (solid > 0.9 && value > 0.0) || (solid < 0.1 && value < 0.0) {
                wrong.push((p, value, solid));
            }
        }
        println!(
            "{name}: closed {}, {checked:?} unclear {unclear} wrong {wrong:?} {:?}",
            surface.is_closed(),
            grid.warning
        );
        assert!(wrong.is_empty(), "{name}: {wrong:?}");
    }
}

/// Triangles of each torture file; none where a clear error is right.
const TORTURE: [(&str, usize, Option<usize>); 48] = [
    ("catmark_torus_creases0", 32, Some(64)),
    ("colorspace-issue-184", 3, Some(1)),
    ("cornell_box", 76, Some(36)),
    ("cornell_box_multimaterial", 76, Some(36)),
    ("cube-vertex-w-component", 8, Some(12)),
    ("cube-vertexcol", 8, Some(12)),
    ("cube", 8, Some(12)),
    ("invalid-face-definition", 8, None),
    ("invalid-relative-texture-index", 0, None),
    ("invalid-relative-vertex-index", 0, None),
    ("issue-138", 8, Some(12)),
    // One of its two faces has index 0 and is left out.
    ("issue-140-zero-face-idx", 4, Some(1)),
    ("issue-161-inconsistent-f", 8, Some(12)),
    ("issue-162-smoothing-group", 8, Some(12)),
    ("issue-177", 8, Some(12)),
    ("issue-235-usemtl-then-o", 8, Some(2)),
    ("issue-244-mtl-searchpaths", 8, Some(2)),
    ("issue-246-usemtl-whitespace", 8, Some(1)),
    ("issue-248-texres-texopt", 8, Some(12)),
    ("issue-295-trianguation-failure", 16, Some(28)),
    ("issue-319-002", 20, Some(14)),
    ("issue-319-003", 10, Some(8)),
    ("issue-330", 7, Some(3)),
    ("issue-356-leading-spaces-newmtl", 0, None),
    ("issue-92", 3, Some(1)),
    ("issue-95-2", 3, Some(1)),
    ("issue-95", 3, Some(1)),
    ("leading-decimal-dot-issue-201", 3, Some(1)),
    ("leading-zero-in-exponent-notation-issue-210", 3, Some(1)),
    ("line-prim", 8, None),
    ("map-bump", 218, Some(400)),
    ("missing_material_file", 76, Some(36)),
    ("mtl filename with whitespace issue46", 8, Some(12)),
    ("mtllib-multiple-files-issue-112", 3, Some(1)),
    ("no_material", 76, Some(36)),
    ("norm-texopt", 3, Some(1)),
    ("pbr-mat-ext", 4, Some(2)),
    ("points-prim", 8, None),
    ("refl", 8, Some(12)),
    ("skin-weight", 8, Some(12)),
    ("smoothing-group-two-squares", 6, Some(3)),
    ("smoothing-normal", 8, Some(6)),
    // One quad of the floor uses vertices that are not numbers.
    ("test-nan", 76, Some(34)),
    ("texture-filename-with-whitespace", 8, Some(12)),
    ("texture-options-issue-85", 3, Some(1)),
    ("tr-and-d-issue-43", 218, Some(400)),
    ("usemtl-issue-104", 12, Some(6)),
    ("usemtl-issue-68", 218, Some(400)),
];

#[test]
fn awkward_files_load_or_fail_with_file_and_line() {
    let Some(folder) = inputs() else { return };
    for (name, vertices, triangles) in TORTURE {
        let path = folder.join("obj-torture").join(format!("{name}.obj"));
        match (obj::read(&path), triangles) {
            (Ok(file), Some(triangles)) => {
                println!("{name}: {:?}", file.warnings);
                assert_eq!(
                    (file.vertices, file.triangles),
                    (vertices, triangles),
                    "{name}"
                );
                assert!(file.mesh.positions.iter().all(|p| p.is_finite()), "{name}");
            }
            (Err(error), None) => {
                let text = error.to_string();
                println!("{text}");
                assert!(text.contains(&format!("{name}.obj, line ")), "{text}");
            }
            (result, _) => panic!("{name}: {result:?}"),
        }
    }
}
