//! Files of hair that hold the head, too, and how fast both go.

use super::hair;
use glam::Vec3;
use lovelock::{
    io::strands::{self, FilmTimes, HeadFaces, Strands, Velocities, WornHead, written},
    mesh::{HeadParams, Mesh, load, read},
};
use lovelock_alembic::{Archive, Object};
use lovelock_usd::Layer;
use std::{path::Path, sync::Arc};

/// Places and texture coordinates of all corners of all triangles, in no order.
fn corners(mesh: &Mesh) -> Vec<[u32; 5]> {
    let all = mesh.triangles.iter().zip(&mesh.uvs);
    let mut out: Vec<[u32; 5]> = all
        .flat_map(|(triangle, uvs)| {
            triangle.iter().zip(uvs).map(|(vertex, uv)| {
                let p = mesh.positions[*vertex as usize];
                [p.x, p.y, p.z, uv.x, uv.y].map(f32::to_bits)
            })
        })
        .collect();
    out.sort_unstable();
    out
}

fn below<'a>(object: &Object<'a>) -> Vec<Object<'a>> {
    object.children().expect("children")
}

/// How fast the points of hair and head go in each pose of a file.
fn ways(path: &Path) -> [Vec<Vec<f32>>; 2] {
    let bytes = std::fs::read(path).expect("a file");
    if lovelock_alembic::is_ogawa(&bytes) {
        let archive = Archive::open(&bytes).expect("an archive");
        let groom = below(&archive.top().expect("a top")).remove(0);
        return ["hair", "head"].map(|name| {
            let all = below(&groom);
            let object = all.iter().find(|object| object.name == name);
            let geometry = object.expect("it").property(".geom").expect("read");
            let ways = geometry.expect("geometry").property(".velocities");
            let ways = ways.expect("read").expect("velocities");
            let pose = |pose| ways.sample(pose).expect("a sample").floats();
            (0..ways.samples())
                .map(|i| pose(i).expect("floats"))
                .collect()
        });
    }
    let layer = Layer::open(&bytes).expect("a layer");
    ["/Hair/Strands", "/Hair/Head"].map(|name| {
        let ways = layer.at(name).expect("a prim").property("velocities");
        let ways = ways.expect("velocities");
        let at = |time| ways.value_at(Some(time)).expect("read").expect("a value");
        let times = ways.times().expect("times").into_iter();
        times
            .map(|time| at(time).floats().expect("floats"))
            .collect()
    })
}

/// Hair with the built-in head beside it, in metres.
fn worn() -> (Strands, Arc<Mesh>) {
    let mesh = load(&HeadParams::default())
        .expect("the built-in head")
        .mesh;
    let head = WornHead {
        points: mesh.positions.clone(),
        faces: Arc::new(HeadFaces::of(&mesh)),
        ..WornHead::default()
    };
    let strands = Strands {
        head: Some(head),
        metres_per_unit: Some(1.0),
        ..hair(12, |strand| 3 + strand)
    };
    (strands, mesh)
}

#[test]
fn a_film_holds_the_head_with_its_texture_coordinates_and_the_hair_stays_as_it_was() {
    let folder = tempfile::tempdir().expect("a folder");
    let (still, mesh) = worn();
    let wanted = corners(&mesh);
    let mut holding = 0;
    for (format, writing) in written() {
        let path = folder.path().join(format!("film.{}", format.id));
        let (Some(_), Some(begin)) = (format.carries.head, writing.film) else {
            assert_eq!(format.carries.head, None, "{}", format.id);
            continue;
        };
        holding += 1;
        let mut film = begin(&path, &FilmTimes::new(3, 24.0)).expect("begins");
        let mut velocities = Velocities::new(24.0);
        for frame in 0..3 {
            let mut moved = still.clone();
            let up = Vec3::Y * frame as f32;
            moved.points.iter_mut().for_each(|p| *p += up);
            let head = moved.head.as_mut().expect("a head");
            head.points.iter_mut().for_each(|p| *p += up);
            if let Some(ready) = velocities.add(moved) {
                film.add(&ready).expect("adds");
            }
        }
        film.add(&velocities.last().expect("the last"))
            .expect("adds");
        film.finish().expect("ends");
        // Nothing but the film: what stood aside is gone.
        assert_eq!(
            std::fs::read_dir(folder.path()).expect("listed").count(),
            holding
        );
        // A unit a frame, of which 24 are in a second.
        for (ways, count) in ways(&path)
            .iter()
            .zip([still.points.len(), mesh.positions.len()])
        {
            assert_eq!(ways.len(), 3, "{}", format.id);
            for ways in ways {
                assert_eq!(ways.len(), 3 * count, "{}", format.id);
                let mut ways = ways.chunks(3);
                let close = |way: &[f32]| Vec3::from_slice(way).distance(24.0 * Vec3::Y) < 1e-4;
                assert!(ways.all(close), "{}", format.id);
            }
        }
        let (_, hair) = strands::read(&path).expect("reads");
        assert_eq!(
            (hair.points, hair.starts),
            (still.points.clone(), still.starts.clone())
        );
        assert_eq!(hair.poses, 3, "{}", format.id);
        // As a head it has the same faces in all poses.
        assert_eq!(read::poses(&path), 3, "{}", format.id);
        let head = read::read(&path).expect("a head");
        assert_eq!(head.triangles, mesh.triangles.len(), "{}", format.id);
        assert!(corners(&head.mesh) == wanted, "{}", format.id);
    }
    assert_eq!(holding, 4);
}

#[test]
fn a_pose_holds_the_head_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let (still, mesh) = worn();
    for (format, writing) in written().filter(|(format, _)| format.carries.head.is_some()) {
        let path = folder.path().join(format!("pose.{}", format.id));
        let lost = strands::write(&path, writing, &still).expect("writes");
        assert_eq!(lost, [""; 0], "{}", format.id);
        let head = read::read(&path).expect("a head");
        assert!(corners(&head.mesh) == corners(&mesh), "{}", format.id);
    }
}
