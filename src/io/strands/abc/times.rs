//! When the poses of the curves in an archive are.

use super::schema::{fault, is_curves, is_hidden, is_transform};
use crate::io::strands::Fault;
use lovelock_alembic::{Archive, Object, Times};

/// Poses of the curves in an archive: as many as the one of them has, or the transform
/// above one, that has most.
#[derive(Default)]
pub struct ArchiveTimes {
    /// How many there are; 0 without curves.
    pub count: usize,
    /// In a second; 0 where the file does not say it. `[1/s]`
    pub rate: f64,
    /// When they are, where the file says it.
    times: Option<Times>,
    /// Samples of what says it.
    told: usize,
    /// How many more objects there can be.
    objects: usize,
}

/// How many samples something has, and when they were taken.
type Samples = (usize, Option<Times>);

impl ArchiveTimes {
    /// Those of an archive of so many bytes.
    pub fn of(archive: &Archive, bytes: usize) -> Result<Self, Fault> {
        let mut out = Self {
            told: 1,
            // An object needs more bytes than this in a file.
            objects: bytes / 32,
            ..Self::default()
        };
        out.collect(&archive.top().map_err(fault)?, &(0, None))?;
        Ok(out)
    }

    /// When a pose is; none where the file does not say it. `[s]`
    pub fn at(&self, pose: usize) -> Option<f64> {
        self.times.as_ref().map(|times| times.at(pose))
    }

    /// Adds those of the curves in and below an object, under transforms of which the one
    /// that moves most has these.
    fn collect(&mut self, object: &Object, above: &Samples) -> Result<(), Fault> {
        self.objects = self.objects.checked_sub(1).ok_or_else(|| {
            Fault::whole("its objects contain one another; export the file again".into())
        })?;
        if is_hidden(object).map_err(fault)? {
            return Ok(());
        }
        let moved = match is_transform(object) {
            true => object.poses().map_err(fault)?,
            false => 0,
        };
        let own = match moved > above.0 {
            true => &(moved, object.times().map_err(fault)?),
            false => above,
        };
        if is_curves(object) {
            let geometry = object.property(".geom").map_err(fault)?;
            let points = geometry.map(|geometry| geometry.property("P"));
            let points = points.transpose().map_err(fault)?.flatten();
            let points = points.map_or((0, None), |p| (p.samples(), p.times().cloned()));
            self.add(&points);
            self.add(own);
        }
        for child in object.children().map_err(fault)? {
            self.collect(&child, own)?;
        }
        Ok(())
    }

    fn add(&mut self, (samples, times): &Samples) {
        self.count = self.count.max(*samples);
        let times = times.as_ref().filter(|_| *samples > self.told);
        if let Some((times, rate)) = times.and_then(|times| Some((times, times.rate(*samples)?))) {
            (self.told, self.rate) = (*samples, rate);
            self.times = Some(times.clone());
        }
    }
}
