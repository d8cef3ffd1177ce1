// The stand on which a bust is whose hair hangs lower than itself: a column.

// Its radius, as a share of the bust's.
const float STAND = 0.5;
