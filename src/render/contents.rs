//! The head and the hair that the renderer shows.

use super::{
    Renderer,
    floor::Floor,
    parts::{HairParts, HeadParts, Planted},
    shadow,
};
use crate::{
    groom::{Followers, Groom},
    mesh::Mesh,
};
use std::sync::Arc;

impl Renderer {
    /// Shows another head; call [`Renderer::set_groom`] after it, for the tint
    /// of the scalp.
    pub fn set_head(&mut self, mesh: &Mesh) {
        self.take_head(&Arc::new(HeadParts::new(mesh)));
    }

    /// The same with all that takes long done before, on any thread.
    pub fn take_head(&mut self, parts: &Arc<HeadParts>) {
        self.head.take(parts);
        self.face_hair.take(parts.face.as_deref());
        self.forget_shadow();
        self.occlusion.take_head(parts);
        self.floor = Floor::under(parts.bounds, parts.opening.as_ref());
        self.sphere = shadow::sphere(parts.bounds, &self.floor);
        self.made.0 = Some(parts.clone());
    }

    /// Shows another groom, at rest and without followers.
    pub fn set_groom(&mut self, groom: &Groom) {
        let head = match &self.made.0 {
            Some(head) => head.clone(),
            None => Arc::new(HeadParts::new(&Mesh::default())),
        };
        let parts = Arc::new(HairParts::new(groom, &head));
        let planted = Planted::new(groom, &parts, &Followers::default(), 0);
        self.take_groom(groom, &parts);
        self.take_planted(&planted);
    }

    /// The same with all that takes long done before, on any thread, of the head
    /// that was set last; call [`Renderer::take_planted`] after it.
    pub fn take_groom(&mut self, groom: &Groom, parts: &Arc<HairParts>) {
        self.hair.take_groom(groom, parts);
        self.bands.take_groom(groom);
        self.occlusion.take_groom(&parts.samples, groom.strands());
        self.occlusion.spread(&groom.points, self.pose);
        self.floor = self.floor.below(&groom.points);
        self.head.set_painted(&parts.painted);
        self.forget_set();
        self.made.1 = Some(parts.clone());
    }

    /// Draws `followers` of `groom`, the one that was set last, beside it.
    pub fn set_followers(&mut self, groom: &Groom, followers: &Followers) {
        if let Some(parts) = &self.made.1 {
            let planted = Planted::new(groom, parts, followers, 0);
            self.take_planted(&planted);
        }
    }

    /// Draws these strands of the groom that was set last.
    pub fn take_planted(&mut self, planted: &Planted) {
        self.hair.take_planted(planted);
        let [strands, drawn] = planted.strands;
        self.occlusion.set_cover(strands, drawn);
    }
}
