// Drawn strands: all have the same number of points, one after the other.
uniform samplerBuffer points;  // xyz: place [m], w: 0 at the root .. 1 at the tip

// A number in 0..1 that strand "id" keeps, one for each "use".
uint hashed(uint x) {
    // A bijection of 32 bits (Wellons 2018, "lowbias32").
    x ^= x >> 16; x *= 0x7feb352du; x ^= x >> 15; x *= 0x846ca68bu;
    return x ^ (x >> 16);
}
float strand_random(uint id, uint use) {
    return float(hashed(id * 747796405u + hashed(use)) >> 8) / 16777216.0;
}

// Whether follower "id" stands off from the hair.
bool is_fly_away(uint id) {
    return strand_random(id, 7u) < spread.w;
}

// Point "i" of strand "s"; beyond its ends, the end.
vec4 point_of(int s, int i) {
    int count = int(strand.x);
    return texelFetch(points, s * count + clamp(i, 0, count - 1));
}
