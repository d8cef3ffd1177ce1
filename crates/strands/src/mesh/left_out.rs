//! What of a head's file is no surface that one sees, or that hair lies on: helper
//! geometry, and layers that renderers draw clear.

use super::{
    Group, Material, Mesh,
    part_names::{PartKind, part_kinds},
};
use crate::math::counted;

/// Of a material that lets so much light through nothing is seen.
const CLEAR: f32 = 0.9;
/// A texel that is less opaque is a hole: as shaders/head.frag has it.
const HOLE: u8 = 128;
/// So many parts are named at most.
const NAMED: usize = 5;

/// Removes the groups that MakeHuman uses for its own ends; says so.
pub(super) fn drop_helpers(mesh: &mut Mesh) -> Option<String> {
    let helper = |group: &Group| {
        let name = group.name.to_ascii_lowercase();
        name.starts_with("helper-") || name.starts_with("joint-")
    };
    let mut kept = vec![true; mesh.triangles.len()];
    let mut count = 0;
    for group in mesh.groups.iter().filter(|group| helper(group)) {
        kept[group.triangles.clone()].fill(false);
        count += 1;
    }
    if count == 0 {
        return None;
    }
    mesh.keep(&kept);
    Some(format!(
        "{} left out",
        counted(
            count,
            "group named helper-* or joint-* is",
            "groups named helper-* or joint-* are"
        )
    ))
}

/// Removes layers that renderers draw clear, by the names that [`PartKind`] knows and by
/// what materials let through; says how many triangles, and of what.
///
/// Nothing is removed that would be most of the head: then the names mean something else,
/// or the program that wrote the materials means the opposite of what it says.
pub(super) fn drop_layers(mesh: &mut Mesh) -> Option<String> {
    let kinds = part_kinds(mesh);
    let is = |i: usize, kind| kinds[i].contains(&kind);
    let looks: Vec<Look> = mesh.materials.iter().map(Look::of).collect();
    let look = |i: usize| {
        let material = mesh.triangle_material.get(i)?;
        looks.get(*material as usize).copied()
    };
    let all = || 0..mesh.triangles.len();
    // An eye that is all cornea is one.
    let has_eyes = all().any(|i| is(i, PartKind::Eye) && !is(i, PartKind::Cornea));
    let is_layer = |i: usize, kind: PartKind| {
        let look = look(i).unwrap_or_default();
        match kind {
            PartKind::Layer => true,
            PartKind::Lashes => !look.holes,
            PartKind::Cornea => has_eyes && !look.pictured,
            PartKind::Eye | PartKind::Other => false,
        }
    };
    let layer = |i: usize| kinds[i].iter().any(|kind| is_layer(i, *kind));
    let clear = |i: usize| look(i).is_some_and(|look| look.clear);
    let few = |list: Vec<bool>| match 2 * list.iter().filter(|out| **out).count() > list.len() {
        true => vec![false; list.len()],
        false => list,
    };
    let [layers, clears] = [
        few(all().map(layer).collect()),
        few(all().map(clear).collect()),
    ];
    let out = few(all().map(|i| layers[i] || clears[i]).collect());
    let count = out.iter().filter(|out| **out).count();
    if count == 0 {
        return None;
    }
    let mut names: Vec<&str> = Vec::new();
    for i in all().filter(|i| out[*i]) {
        let by_material = clears[i] || is_layer(i, kinds[i][1]);
        let group = mesh
            .groups
            .iter()
            .find(|group| group.triangles.contains(&i));
        let material = mesh.triangle_material.get(i).copied().unwrap_or_default();
        let name = match group.filter(|_| !by_material) {
            Some(group) => &group.name,
            None => &mesh.materials[material as usize].name,
        };
        // Parts are runs of triangles.
        if names.last() != Some(&name.as_str()) && !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let more = match names.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    names.truncate(NAMED);
    let told = format!(
        "{} left out ({}{more})",
        counted(
            count,
            "triangle of a layer that renderers draw see-through is",
            "triangles of layers that renderers draw see-through are"
        ),
        names.join(", ")
    );
    let kept: Vec<bool> = out.iter().map(|out| !out).collect();
    mesh.keep(&kept);
    Some(told)
}

/// What decides about a material.
#[derive(Clone, Copy, Debug, Default)]
struct Look {
    pictured: bool,
    /// Whether its picture has holes.
    holes: bool,
    clear: bool,
}

impl Look {
    fn of(material: &Material) -> Self {
        let picture = material.maps.colour.as_ref();
        let hole = |texel: &[u8; 4]| texel[3] < HOLE;
        Self {
            pictured: picture.is_some(),
            holes: picture.is_some_and(|picture| picture.texels.iter().any(hole)),
            clear: material.clear >= CLEAR,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::{HeadParams, Image, load::place, obj};
    use std::{path::Path, sync::Arc};

    /// A head of a few boxes: what each is called, and with what material.
    fn boxes(names: &[(&str, &str)]) -> Mesh {
        let mut text = String::new();
        for (i, (group, material)) in names.iter().enumerate() {
            let (x, first) = (3 * i, 8 * i);
            for corner in 0..8 {
                let [a, b, c] = [0, 1, 2].map(|axis| corner >> axis & 1);
                text += &format!("v {} {b} {c}\n", x + a);
            }
            text += &format!("g {group}\nusemtl {material}\n");
            for face in [
                [1, 3, 4, 2],
                [5, 6, 8, 7],
                [1, 2, 6, 5],
                [3, 7, 8, 4],
                [1, 5, 7, 3],
                [2, 4, 8, 6],
            ] {
                let [a, b, c, d] = face.map(|v| v + first);
                text += &format!("f {a} {b} {c} {d}\n");
            }
        }
        let mut mesh = obj::parse(text.as_bytes(), Path::new("boxes.obj"))
            .expect("reads")
            .mesh;
        // There is no library beside it.
        mesh.materials = names
            .iter()
            .map(|(_, name)| Material {
                name: (*name).into(),
                ..Material::default()
            })
            .collect();
        mesh.triangle_material = (0..names.len() as u32).flat_map(|m| [m; 12]).collect();
        mesh
    }

    fn groups(mesh: &Mesh) -> Vec<&str> {
        mesh.groups.iter().map(|group| &group.name[..]).collect()
    }

    #[test]
    fn layers_over_the_eyes_are_left_out_by_group_or_material() {
        let mut mesh = boxes(&[
            ("skin", "M_Face"),
            ("eyeshell_lod0", "M_Face"),
            ("eyes", "M_ScleraLeft"),
            ("a", "M_EyeOcclusion"),
            ("more skin", "M_Face"),
            ("b", "M_Cornea"),
            ("lids", "M_Face"),
        ]);
        let told = drop_layers(&mut mesh).expect("layers");
        assert_eq!(
            told,
            "36 triangles of layers that renderers draw see-through are left out (eyeshell_lod0, M_EyeOcclusion, \
             M_Cornea)"
        );
        assert_eq!(groups(&mesh), ["skin", "eyes", "more skin", "lids"]);
        assert_eq!((mesh.triangles.len(), mesh.positions.len()), (48, 32));
        assert_eq!(mesh.triangle_material[12..24], [2; 12]);
        let ends: Vec<usize> = mesh.groups.iter().map(|g| g.triangles.end).collect();
        assert_eq!(ends, [12, 24, 36, 48]);
        let eyes = mesh.eye_triangles();
        assert!((0..48).all(|i| eyes[i] == (12..24).contains(&i)));
        assert_eq!(drop_layers(&mut mesh), None);
    }

    #[test]
    fn lashes_stay_where_a_picture_has_holes_and_corneas_where_they_are_the_eye() {
        let names = [("skin", "skin"), ("lashes", "lash"), ("eye", "cornea")];
        let mut mesh = boxes(&names);
        let image = |alpha| Image {
            size: [2, 1],
            texels: vec![[0, 0, 0, 255], [0, 0, 0, alpha]],
        };
        mesh.materials[1].maps.colour = Some(Arc::new(image(0)));
        assert_eq!(drop_layers(&mut mesh.clone()), None);
        mesh.materials[1].maps.colour = Some(Arc::new(image(255)));
        assert!(drop_layers(&mut mesh).is_some_and(|told| told.ends_with("(lash)")));
        assert_eq!(groups(&mesh), ["skin", "eye"]);
    }

    #[test]
    fn clear_materials_are_left_out_unless_nearly_all_are() {
        let names = [("a", "skin"), ("b", "film"), ("c", "skin")];
        let mut mesh = boxes(&names);
        mesh.materials[1].clear = 0.95;
        assert!(drop_layers(&mut mesh.clone()).is_some_and(|told| told.ends_with("(film)")));
        mesh.materials[0].clear = 1.0;
        assert_eq!(drop_layers(&mut mesh), None);
        // A head that is called so is one all the same.
        let mut mesh = boxes(&[("tears", "tear"), ("eyelash", "skin")]);
        assert_eq!(drop_layers(&mut mesh), None);
    }

    #[test]
    fn a_head_says_what_was_left_out_of_it() {
        let mut file =
            obj::parse(b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", Path::new("a.obj")).expect("reads");
        file.mesh = boxes(&[("skin", "m"), ("hair", "m"), ("tearline", "m")]);
        let head = place(file, &HeadParams::default()).expect("a head");
        let summary = &head.report.summary;
        assert!(
            summary.contains(
                "; 12 triangles of layers that renderers draw see-through are left out (tearline)"
            ),
            "{summary}"
        );
        assert_eq!(head.mesh.triangles.len(), 24);
    }
}
