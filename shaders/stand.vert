// A column from the floor to the bust's base, wherever that goes: two
// triangles a side, and one of the lid.
out vec3 world;
out vec3 outwards;

const int SIDES = 64;  // as in src/render/stand.rs
const int CORNERS[9] = int[](0, 1, 2, 2, 1, 3, 2, 3, 4);

void main() {
    int corner = CORNERS[gl_VertexID % 9];
    float angle = 6.2831853 * float(gl_VertexID / 9 + (corner & 1)) / float(SIDES);
    vec3 side = vec3(cos(angle), 0.0, sin(angle));
    outwards = gl_VertexID % 9 < 6 ? side : mat3(base_to_world) * vec3(0.0, 1.0, 0.0);
    world = floor_place.xyz + side * (corner == 4 ? 0.0 : STAND * floor_place.w);
    if (corner >= 2) {
        world = (base_to_world * vec4(world + vec3(0.0, backdrop.a, 0.0), 1.0)).xyz;
    }
    gl_Position = view_projection * vec4(world, 1.0);
}
