//! A built scene with the data the renderer needs, computed where the
//! stage was built: the window takes both over without computing.

use crate::{
    groom::Followers,
    mesh::LoadedHead,
    project::{
        built_scene::{self, BuildError, BuildProgress, BuiltScene, Ground, Told},
        scene::Scene,
    },
    render::{DrawnParts, Following, HairParts, HeadParts, Planted},
};
use std::{cell::OnceCell, sync::Arc};

/// A stage, ready to be simulated and drawn.
pub struct Ready {
    /// Head, hair and simulation.
    pub stage: BuiltScene,
    /// What the picture has to know of them.
    pub drawing: DrawnParts,
    /// What they were built from.
    pub scene: Box<Scene>,
}

impl Ready {
    /// Builds what `scene` says on the ground of what was built before, if there
    /// is any, with what was drawn of it.
    ///
    /// # Errors
    /// Those of [`built_scene::build_told`].
    pub fn build(
        scene: &Scene,
        before: Option<(&Ground, &DrawnParts)>,
        progress: BuildProgress,
    ) -> Result<Self, BuildError> {
        Self::build_shown(scene, before, progress, &|_, _| ())
    }

    /// The same; where nothing was built before, `show` is handed the head as soon
    /// as that can be drawn, long before there is hair on it.
    ///
    /// # Errors
    /// Those of [`built_scene::build_told`].
    pub fn build_shown(
        scene: &Scene,
        before: Option<(&Ground, &DrawnParts)>,
        progress: BuildProgress,
        show: &dyn Fn(&LoadedHead, &Arc<HeadParts>),
    ) -> Result<Self, BuildError> {
        let lit = OnceCell::new();
        let stage = match before {
            Some((ground, _)) => ground.build(scene, progress)?,
            None => built_scene::build_shown(scene, progress, &|head| {
                let parts = lit.get_or_init(|| Arc::new(HeadParts::new(&head.mesh)));
                show(head, parts);
            })?,
        };
        let next = |part, share| match progress(Told::Part(part, share)) {
            true => Ok(()),
            false => Err(BuildError::GivenUp),
        };
        next("lighting the head", 0.85)?;
        let mesh = stage.head.mesh.clone();
        let drawn = before.map(|(_, drawing)| drawing);
        let head = drawn.filter(|drawn| Arc::ptr_eq(&drawn.mesh, &mesh));
        let head = match (head, lit.into_inner()) {
            (Some(drawn), _) => drawn.head.clone(),
            (None, Some(lit)) => lit,
            (None, None) => Arc::new(HeadParts::new(&mesh)),
        };
        next("planting the followers", 0.92)?;
        let (groom, following) =
            Following::drawn(&stage.groom, stage.bound.as_deref(), &stage.body);
        let hair = Arc::new(HairParts::new(&groom, &head));
        let each = scene.followers.each;
        let go_on = || progress(Told::Still);
        let followers = Followers::plant_while(&stage.groom, &mesh, &stage.bed, each, &go_on);
        let followers = followers.ok_or(BuildError::GivenUp)?;
        let planted = Arc::new(Planted::new(&groom, &hair, &followers, each));
        let drawing = DrawnParts {
            mesh,
            head,
            groom,
            following,
            hair,
            planted,
        };
        let scene = Box::new(scene.clone());
        Ok(Self {
            stage,
            drawing,
            scene,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_hair_on_the_same_head_keeps_what_was_worked_out_of_it() {
        let mut scene = Scene::default();
        scene.roots.strands = 30;
        scene.groom.vertices = 6;
        scene.followers.each = 2;
        let first = Ready::build(&scene, None, &|_| true).expect("builds");
        assert_eq!(first.drawing.planted.strands(), 90);
        scene.groom.length = 0.1;
        scene.followers.each = 3;
        let ground = first.stage.ground();
        let before = Some((&ground, &first.drawing));
        let second = Ready::build(&scene, before, &|_| true).expect("builds");
        assert!(Arc::ptr_eq(&first.drawing.head, &second.drawing.head));
        assert_eq!(second.drawing.planted.strands(), 120);
        // Given up while followers are planted.
        let stop = |told| told != Told::Still;
        let given_up = Ready::build(&scene, before, &stop);
        assert!(matches!(given_up, Err(BuildError::GivenUp)));
    }
}
