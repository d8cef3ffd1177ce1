//! What methods ask of strand–strand contact, and the rounds they solve it in.

/// How strands touch; what a method that takes contact into its solve asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StrandContactParams {
    /// Thickness of what a simulated strand stands for. `[m]`
    pub thickness: f32,
    /// Coulomb friction between strands.
    pub friction: f32,
    /// How much a vertex is against being moved in a substep, in masses over h².
    pub inertia: f32,
    /// How often contact is solved for in each substep.
    pub rounds: usize,
}

/// One of the solves of a substep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactRound {
    /// Tells where strands would go that touch nothing, and leaves them where they are.
    Free,
    /// The same of strands that meet what they touch.
    Trial,
    /// Moves them so.
    Final,
}
