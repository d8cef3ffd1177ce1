//! The tree of paths of a crate file.

use super::file::CrateFile;
use crate::{DEEPEST, UsdError};

/// No node.
pub const NONE: u32 = u32::MAX;

/// A node of the tree: what is its path.
#[derive(Clone, Copy, Debug)]
pub struct PathNode {
    pub parent: u32,
    /// The token that is its name; none of the root.
    pub token: u32,
    /// Whether it is a property of its parent.
    property: bool,
}

/// Paths by their numbers.
#[derive(Debug)]
pub struct PathTree {
    pub nodes: Vec<PathNode>,
    /// Numbers of paths, each behind its parent.
    pub order: Vec<u32>,
}

/// The tree in the section of paths. There the nodes lie one after the other, each behind
/// its parent: of each a number, its name, which is negative for a property, and a jump. A
/// jump of -2 is a leaf, of -1 a node whose child comes next, of 0 one whose sibling comes
/// next, and above that one with both, whose sibling lies so far behind.
pub fn read(file: &CrateFile) -> Result<PathTree, UsdError> {
    let mut section = file.section(b"PATHS")?;
    let paths = section.size()?;
    let count = section.size()?;
    let mut list = || -> Result<Vec<i64>, UsdError> {
        let numbers = file.integers(&mut section, count)?;
        Ok(numbers.collect())
    };
    let (numbers, tokens, jumps) = (list()?, list()?, list()?);
    file.spend_on_tables(paths.saturating_mul(size_of::<PathNode>()))?;
    let damaged = || UsdError::whole("its tree of paths is damaged");
    let empty = PathNode {
        parent: NONE,
        token: NONE,
        property: false,
    };
    let mut tree = PathTree {
        nodes: vec![empty; paths],
        order: Vec::with_capacity(count),
    };
    let mut seen = vec![false; paths];
    let mut waiting = match count {
        0 => Vec::new(),
        _ => vec![(0usize, NONE)],
    };
    while let Some((mut index, mut parent)) = waiting.pop() {
        loop {
            let (Some(number), Some(token), Some(jump)) =
                (numbers.get(index), tokens.get(index), jumps.get(index))
            else {
                return Err(damaged());
            };
            let number = *number as u32;
            let node = tree.nodes.get_mut(number as usize).ok_or_else(damaged)?;
            // A jump into what was read already would go in a circle.
            if std::mem::replace(&mut seen[number as usize], true) {
                return Err(damaged());
            }
            *node = PathNode {
                parent,
                token: match parent {
                    NONE => NONE,
                    _ => token.unsigned_abs() as u32,
                },
                property: *token < 0,
            };
            tree.order.push(number);
            let child = *jump > 0 || *jump == -1;
            if *jump > 0 {
                waiting.push((index.saturating_add(*jump as usize), parent));
            }
            if child || parent == NONE {
                parent = number;
            }
            if !child && *jump != 0 {
                break;
            }
            index += 1;
        }
    }
    Ok(tree)
}

impl PathTree {
    /// The path of that number as text; what lies too deeply is cut.
    pub fn text(&self, file: &CrateFile, number: u32) -> String {
        let mut names = Vec::new();
        let mut at = number;
        while let Some(node) = self.nodes.get(at as usize)
            && node.parent != NONE
            && names.len() <= DEEPEST
        {
            let mark = if node.property { "." } else { "/" };
            names.push(mark.to_string() + &file.token(node.token));
            at = node.parent;
        }
        names.reverse();
        names.concat()
    }
}
