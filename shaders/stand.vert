// A column from the floor to the bust's base, wherever that goes: two
// triangles a side, and one of the lid. Where the bust turns round, the column's
// sides stay: they lean with the base, and do not twist.
out vec3 world;
out vec3 outwards;

const int SIDES = 64;  // as in src/render/stand.rs
const int CORNERS[9] = int[](0, 1, 2, 2, 1, 3, 2, 3, 4);

void main() {
    int corner = CORNERS[gl_VertexID % 9];
    float angle = 6.2831853 * float(gl_VertexID / 9 + (corner & 1)) / float(SIDES);
    vec3 side = vec3(cos(angle), 0.0, sin(angle));
    outwards = gl_VertexID % 9 < 6 ? side : mat3(base_to_world) * vec3(0.0, 1.0, 0.0);
    bool top = corner >= 2;
    // The base's turn about the vertical, taken back.
    float turn = top ? atan(base_to_world[2].x - base_to_world[0].z, base_to_world[0].x + base_to_world[2].z) : 0.0;
    vec3 unturned = vec3(cos(angle + turn), 0.0, sin(angle + turn));
    vec3 aside = unturned * (corner == 4 ? 0.0 : stand_foot.w);
    world = stand_foot.xyz + aside;
    if (top) {
        world = (base_to_world * vec4(floor_place.xyz + aside + vec3(0.0, stand_height(), 0.0), 1.0)).xyz;
    }
    gl_Position = view_projection * vec4(world, 1.0);
}
