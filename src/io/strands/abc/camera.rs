//! The camera as an Alembic camera below a transform.

use super::schema;
use crate::io::strands::CameraSample;
use lovelock_alembic::{Kind, NodeId, Pod, PropertyId, Writer};
use std::io::{self, Seek, Write};

/// A transform by one matrix, as its list of operations says it.
const MATRIX: u8 = 3 << 4;

/// The f-stop of a camera in which all is sharp: the schema has no way to say so, and
/// programs know no larger one.
const SHARP: f64 = 64.0;

/// How wide lens and film are where they are not squeezed.
const UNSQUEEZED: f64 = 1.0;

/// When the shutter opens and closes, as the schema has it unless it is told otherwise. `[s]`
const SHUTTER: [f64; 2] = [0.0, 0.5 / 24.0];

/// The camera of an archive.
pub struct CameraNode {
    inherits: PropertyId,
    values: PropertyId,
    core: PropertyId,
}

impl CameraNode {
    /// Says all that does not change of a camera that is sampled at these `times`.
    pub fn begin<W: Write + Seek>(
        archive: &mut Writer<W>,
        groom: NodeId,
        times: usize,
    ) -> io::Result<Self> {
        let (xform, schema) = (schema::XFORM, schema::CAMERA);
        let title = format!("schema={xform};schemaObjTitle={xform}:.xform");
        let node = archive.object(groom, "camera", &title);
        let here = archive.compound(node, ".xform", &format!("schema={xform}"));
        let flag = (Kind::Scalar, Pod::Bool, 1);
        // A reader takes the times of a transform from here.
        let inherits = archive.property(here, flag, ".inherits", "", times);
        let ops = archive.property(here, (Kind::Scalar, Pod::U8, 1), ".ops", "", 0);
        archive.sample(ops, &[MATRIX], 1)?;
        let sixteen = (Kind::Scalar, Pod::F64, 16);
        let values = archive.property(here, sixteen, ".vals", "", times);
        if times != 0 {
            let all = (Kind::Array, Pod::U32, 1);
            let moving = archive.property(here, all, ".animChans", "", 0);
            archive.numbers(moving, (0..16u32).map(u32::to_le_bytes))?;
        }
        let placed = archive.property(here, flag, "isNotConstantIdentity", "", 0);
        archive.sample(placed, &[1], 1)?;
        let title = format!("schema={schema};schemaObjTitle={schema}:.geom");
        let lens = archive.object(node, "cameraShape", &title);
        let geometry = archive.compound(lens, ".geom", &format!("schema={schema}"));
        let core = archive.property(geometry, sixteen, ".core", "", times);
        Ok(Self {
            inherits,
            values,
            core,
        })
    }

    /// A sample of what changes, and of what goes with it.
    pub fn pose<W: Write + Seek>(
        &self,
        archive: &mut Writer<W>,
        camera: &CameraSample,
    ) -> io::Result<()> {
        archive.sample(self.inherits, &[1], 1)?;
        archive.numbers(self.values, camera.rows().into_iter().map(f64::to_le_bytes))?;
        archive.numbers(self.core, core(camera).into_iter().map(f64::to_le_bytes))
    }
}

/// The numbers of a camera in the order of Alembic's `CameraSample`: focal length `[mm]`; width
/// of the film `[cm]` and how far it is shifted, the same of its height; squeeze of the lens;
/// overscan on the left, right, top, bottom; f-stop; distance of what is sharp; the shutter;
/// the planes between which something is seen.
fn core(camera: &CameraSample) -> [f64; 16] {
    let [width, height] = camera.film.map(|side| side / 10.0);
    let [near, far] = camera.clip;
    let [opens, closes] = SHUTTER;
    let f_stop = camera.f_stop.unwrap_or(SHARP);
    [
        camera.focal_length,
        width,
        0.0,
        height,
        0.0,
        UNSQUEEZED,
        0.0,
        0.0,
        0.0,
        0.0,
        f_stop,
        camera.focus,
        opens,
        closes,
        near,
        far,
    ]
}
