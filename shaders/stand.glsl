// The stand under a bust: a column.

// Where it is so high the floor is dark around its foot; where it only begins to rise, as
// under the bust itself. [m]
const float SETTLED = 0.05;
