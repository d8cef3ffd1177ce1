//! Draws what the hair is seen before and on: backdrop, stand and head, and the shadow
//! that the head throws.

use super::{
    RenderError, Renderer, View,
    every_third::Third,
    gl::Target,
    head::{HeadShading, HeadStance},
    targets::{BackdropKey, StandingKey},
};

impl Renderer {
    /// Draws set and head, in linear light; if it `keeps` the backdrop that is there, this
    /// frame differs from the one before within a pixel alone.
    ///
    /// # Errors
    /// When the driver has no room for the light of brows and lashes.
    pub(super) fn draw_set(&mut self, view: &View, keeps: bool) -> Result<(), RenderError> {
        let Some(targets) = &mut self.targets else {
            return Ok(());
        };
        let swift = targets.light.is_none();
        let stance = self.head.stance(view.pose);
        let now = BackdropKey {
            frame: self.told.without_moving(),
            environment: self.environment_map.serial(),
            shade: (stance, self.occlusion.sweeps()),
            age: 0,
        };
        let built = targets.built.as_mut();
        let serves = built
            .is_some_and(|built| keeps || built.serves(&now, swift, self.as_software))
            || self.transparent;
        let moves = targets.stands.is_some_and(|stood| stood.head != stance);
        let late = swift && serves && moves;
        self.draw_shadow(view, stance, late);
        if let Some(targets) = self.targets.as_mut().filter(|_| !serves) {
            targets.backdrop.bind();
            self.occlusion.bind();
            self.shadow.bind();
            self.environment_map.bind();
            self.backdrop.draw(&self.gl, swift);
            if let Some(wall) = &targets.wall {
                wall.bind();
                self.tone.draw_wall(&self.gl, &targets.backdrop);
            }
            targets.built = Some(now);
            targets.walls += 1;
        }
        self.laps.end(&self.gl, "backdrop and shadow");
        self.draw_standing(view, swift)?;
        self.occlusion.bind();
        self.shadow.bind();
        self.bands.draw(&self.gl, view.look, swift);
        self.laps.end(&self.gl, "head");
        Ok(())
    }

    /// Draws the head as the key light sees it, unless that is known. Where the processor
    /// draws and this may be `late`, only frames that read it make it anew.
    fn draw_shadow(&mut self, view: &View, stance: HeadStance, late: bool) {
        let (now, before) = ((self.told.key_light(), stance), self.shadowed);
        if !view.look.show_head || before == Some(now) {
            return;
        }
        let same_light = before.is_some_and(|(light, _)| light == now.0);
        let read = self.third.makes(Third::Head)
            || self.floor.stand > 0.0
            || self.bands.is_drawn(view.look)
            || self.head.is_pictured();
        if !(late && self.as_software && same_light && !read) {
            self.shadow.draw(&self.gl, &self.head);
            self.shadowed = Some(now);
        }
    }

    /// Draws wall, stand and head into the scene. In a swift frame they are kept while
    /// neither the head nor the camera moves, and copied until the shade is another one.
    fn draw_standing(&mut self, view: &View, swift: bool) -> Result<(), RenderError> {
        let Some(targets) = &mut self.targets else {
            return Ok(());
        };
        let now = StandingKey {
            frame: self.told.without_moving(),
            head: self.head.stance(view.pose),
            face: (view.look.head, view.look.brows),
            shade: (self.occlusion.sweeps(), targets.walls),
        };
        let stood = targets.stands.replace(now);
        let serves = targets.kept && stood == targets.stands;
        let keeps = swift && self.as_software && stood.is_some_and(|stood| stood.is_like(&now));
        targets.kept = serves || keeps && targets.make_room(&self.gl);
        let Some(targets) = &self.targets else {
            return Ok(());
        };
        let kept = targets.standing.as_ref().filter(|_| targets.kept);
        if !serves {
            if swift && self.as_software && view.look.show_head {
                self.occlusion.bind();
                self.shadow.bind();
                // A picture that is kept shows this light for some frames.
                let late = kept.is_none().then_some(self.third);
                let (look, told) = (view.look, &self.told);
                self.head.shade(told, late);
                self.face_hair.shade(&self.gl, look, told, late)?;
            }
            let to = kept.unwrap_or(targets.scene());
            self.draw_set_into(to, targets.wall.as_ref(), view, swift);
        }
        if let Some(standing) = kept {
            self.gl.copy(standing, targets.scene());
            targets.scene().bind();
        }
        Ok(())
    }

    /// Draws stand and head over the `wall`, if there is one, into `to`.
    fn draw_set_into(&self, to: &Target, wall: Option<&Target>, view: &View, swift: bool) {
        match wall {
            Some(wall) => {
                self.gl.blit_to(wall, to, [0, 0]);
                to.bind();
                to.clear_depth();
            }
            None => {
                to.bind();
                to.clear();
            }
        }
        if view.look.show_head {
            self.occlusion.bind();
            self.shadow.bind();
            if self.floor.stand > 0.0 {
                self.stand.draw(&self.gl, swift);
            }
            let shading = match swift {
                true if self.as_software => HeadShading::Kept,
                true => HeadShading::Vertices,
                false => HeadShading::Pixels,
            };
            self.head.draw(&self.gl, shading);
            self.face_hair.draw(&self.gl, view.look, shading);
        }
    }
}
