//! Files that are none, or not whole.

use super::{fit_for, input, seeds};
use lovelock::{
    io::strands::{self, FORMATS, Format, parse},
    math::random::hash,
};
use std::{path::Path, time::Instant};

#[test]
fn wrong_files_are_refused_with_one_clear_sentence() {
    for (name, wanted) in [
        (
            "Bangs_head.ply",
            ": it is a mesh of 7694 faces and not hair",
        ),
        ("derived_header_only.hair", ", byte 128: 160000 points"),
        (
            "derived_huge_count.hair",
            ", byte 8: the header says that there are 4294967295 points",
        ),
        (
            "derived_nan_point.hair",
            "point 0 of strand 0 is not a number",
        ),
        ("lfs_pointer_ponytail.hair", "it is a Git LFS pointer"),
    ] {
        let Some(path) = input(&format!("hair/{name}")) else {
            continue;
        };
        let error = strands::read(&path).err().expect(name).to_string();
        assert!(error.contains(wanted), "{error}");
        assert!(!error.contains('\n') && !error.ends_with('.'), "{error}");
    }
    let refused = |bytes: &[u8], name: &str| {
        let fault = parse(bytes, Path::new(name)).err().expect(name);
        fault.to_string()
    };
    let third = [&3.0f32.to_le_bytes()[..], &[1; 300]].concat();
    for (bytes, name, wanted) in [
        (&b""[..], "a.hair", "it is empty"),
        (
            b"hello",
            "a.hair",
            "byte 0: it does not begin with the letters HAIR",
        ),
        (b"hello", "a.xyz", "it is no groom that can be read here"),
        (
            &third,
            "a.tfx",
            "its version is 3.0, and only version 4 is read",
        ),
        (b"numStrands 20\n", "a.tfx", "the text of TressFX 2"),
        (b"\x01\0\0\0", "a.tfxbone", "give the .tfx beside it"),
        (b"PXR-USDC\0\0", "a.usd", "it ends in its header"),
        (
            b"hello",
            "a.usdc",
            "byte 0: it does not begin with the letters PXR-USDC",
        ),
        (b"PK\x03\x04", "a.usdz", "it is a zip archive; unpack it"),
        (
            b"#usda 1.0\ndef Mesh \"a\" {\n}\n",
            "a.usda",
            "it has no BasisCurves, and 1 mesh;",
        ),
        (
            b"//Maya ASCII 2024 scene\n",
            "a.ma",
            "it is a Maya scene; in Maya",
        ),
        (b"FOR8\0\0", "a.mb", "it is a Maya scene; in Maya"),
        (b"Kaydara FBX Binary  \0", "a.fbx", "it is an FBX file"),
        (b"Palette\n", "a.xgen", "it is an XGen description"),
        (b"\x89HDF\r\n", "a.abc", "it is an HDF5 file"),
        (
            b"BLENDER-v405",
            "a.blend",
            "it is a Blender file; in Blender",
        ),
        (b"Ogawa\0", "a.abc", "it is no Ogawa archive"),
        (
            &[255; 64],
            "a.data",
            "byte 0: 4294967295 strands are promised in 64 bytes",
        ),
        (
            &[255; 64],
            "a.bin",
            "byte 0: 4294967295 strands are promised in 64 bytes",
        ),
        (
            b"v 0 0 0\nl 1 2\n",
            "a.obj",
            ":2: the line goes through point 2 of 1",
        ),
        (b"v 0 x 0\nl 1 1\n", "a.obj", ":1: \"x\" is no number"),
        (
            b"v 0 0,5 0\nl 1 1\n",
            "a.obj",
            ":1: the number \"0,5\" has a decimal comma; export the file again with decimal points",
        ),
        (
            b"v 0 0 0\ncurv 0 1 1\nend\n",
            "a.obj",
            "it describes 1 free-form curves or surfaces (curv, surf) and has no lines",
        ),
        (
            b"# hair\n\n# by nobody\n",
            "a.obj",
            "it holds comments and nothing else",
        ),
        (
            b"v\0 \x000\0 \x001\0 \x002\0\n\0",
            "a.obj",
            "it is UTF-16 text; save it as UTF-8",
        ),
        (
            b"\xc1\x83\x2a\x9e",
            "a.uasset",
            "give the Alembic file that the groom",
        ),
        (b"\0\0\0\x01", "a.hiplc", "a ROP Alembic Output node"),
        (
            b"v 0 0 0\nf 1 1 1\n",
            "a.obj",
            "it is a mesh of 1 face and has no lines",
        ),
        (b"ply\nformat ascii 1.0\n", "a.ply", "the header has no end"),
        (
            b"ply\nformat ascii 1.0\nelement vertex 4294967295\nproperty float x\n\
              property float y\nproperty float z\nelement strand 1\nproperty int nsegs\n\
              end_header\n0 0 0\n",
            "a.ply",
            "a number is missing",
        ),
        (
            b"#usda 1.0\ndef Xform \"a\" {\n",
            "a.usda",
            "the file ends in the middle of a prim",
        ),
        (b"#usda 1.0\n", "a.usda", "it has no BasisCurves"),
        (
            b"#usda 1.0\ndef BasisCurves \"a\" {\nint[] curveVertexCounts = [9]\n\
              point3f[] points = [(0, 0, 0)]\n}\n",
            "a.usda",
            "curveVertexCounts promises 9 points and there are 1",
        ),
    ] {
        let text = refused(bytes, name);
        assert!(text.contains(wanted), "{name}: {text}");
    }
}

/// Files cut off, with other bytes, and with numbers beyond all reason.
#[test]
fn damaged_files_never_panic_and_never_grow() {
    let written = |format: &Format| {
        let writing = format.writing.as_ref()?;
        Some((writing.write)(&fit_for(format, 6)).expect("writes"))
    };
    let sound: Vec<(&str, Vec<u8>)> = FORMATS
        .iter()
        .flat_map(|format| {
            let seeds = seeds(format).into_iter().map(|(_, bytes)| bytes);
            let files = seeds.chain(written(format));
            files.map(|bytes| (format.endings[0], bytes))
        })
        .collect();
    let until = Instant::now() + crate::damage::time();
    let (mut round, mut read) = (0u64, 0);
    while Instant::now() < until {
        for (ending, sound) in &sound {
            round += 1;
            let mut bytes = sound.clone();
            let draw = |k: u64, below: usize| (hash(k, round) % below.max(1) as u64) as usize;
            for k in 0..1 + draw(1, 4) as u64 {
                let at = draw(10 + k, bytes.len());
                match draw(20 + k, 5) {
                    0 => bytes.truncate(at),
                    1 => bytes[at..].iter_mut().take(4).for_each(|b| *b = 0xff),
                    2 => bytes[at..]
                        .iter_mut()
                        .take(1)
                        .for_each(|b| *b = hash(3, round) as u8),
                    3 => {
                        let copy = bytes[at..].iter().take(40).copied().collect::<Vec<_>>();
                        bytes.splice(at..at, copy);
                    }
                    _ => {
                        let end = (at + draw(30 + k, 40)).min(bytes.len());
                        bytes.drain(at..end);
                    }
                }
            }
            let name = format!("x.{ending}");
            if let Ok((_, strands)) = parse(&bytes, Path::new(&name)) {
                read += 1;
                let memory = 12 * strands.points.capacity()
                    + 4 * strands.starts.capacity()
                    + 4 * strands.widths.capacity()
                    + 12 * strands.colours.capacity();
                assert!(
                    memory <= 16 * bytes.len() + 4096,
                    "{memory} for {}",
                    bytes.len()
                );
                assert_eq!(
                    strands.starts.last().map(|s| *s as usize),
                    Some(strands.points.len())
                );
                assert!(strands.starts.windows(2).all(|pair| pair[0] <= pair[1]));
            }
        }
    }
    println!("{round} damaged files, {read} of them still read");
    assert!(round > 1000 && read > 10);
}
