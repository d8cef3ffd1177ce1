//! Where the nodes of a glTF stand, and with them what is bound to a skeleton.

use super::accessor;
use glam::{DMat4, Mat4};
use gltf::{Document, Skin};
use std::borrow::Cow;

/// Nodes in nodes in nodes.
const DEEPEST: usize = 100;

/// The transforms of all nodes of a document.
pub struct NodePlaces {
    own: Vec<DMat4>,
    parents: Vec<Option<usize>>,
}

impl NodePlaces {
    /// Those of a document.
    pub fn of(document: &Document) -> Self {
        let own: Vec<DMat4> = document
            .nodes()
            .map(|node| Mat4::from_cols_array_2d(&node.transform().matrix()).as_dmat4())
            .collect();
        let mut parents = vec![None; own.len()];
        for node in document.nodes() {
            for child in node.children() {
                if let Some(parent) = parents.get_mut(child.index()) {
                    *parent = Some(node.index());
                }
            }
        }
        Self { own, parents }
    }

    /// From the space of a node to that of its scene.
    fn place(&self, node: usize) -> DMat4 {
        let mut place = DMat4::IDENTITY;
        let mut next = Some(node);
        // Damaged nodes may be their own ancestors.
        for _ in 0..DEEPEST {
            let Some(node) = next else { break };
            place = self.own.get(node).copied().unwrap_or_default() * place;
            next = self.parents.get(node).copied().flatten();
        }
        place
    }

    /// From the space of a mesh that is bound to a skeleton to that of its scene: the mesh
    /// keeps the pose that it was modelled in, and its first joint says where.
    ///
    /// # Errors
    /// What is wrong with its matrices.
    pub fn bound(&self, skin: &Skin, buffers: &[Cow<[u8]>]) -> Result<DMat4, String> {
        let Some(joint) = skin.joints().next() else {
            return Ok(DMat4::IDENTITY);
        };
        let inverse = match skin.inverse_bind_matrices() {
            Some(matrices) => accessor::floats(&matrices, buffers, 16)?,
            None => Vec::new(),
        };
        let inverse = match inverse.first_chunk::<16>() {
            Some(first) => Mat4::from_cols_array(first).as_dmat4(),
            None => DMat4::IDENTITY,
        };
        Ok(self.place(joint.index()) * inverse)
    }
}
