// A column from the floor to the bust's base: two triangles a side, and one of
// the lid.
out vec3 world;
out vec3 outwards;

const int SIDES = 64;  // as in src/render/stand.rs
const int CORNERS[9] = int[](0, 1, 2, 2, 1, 3, 2, 3, 4);

void main() {
    int corner = CORNERS[gl_VertexID % 9];
    float angle = 6.2831853 * float(gl_VertexID / 9 + (corner & 1)) / float(SIDES);
    vec3 side = vec3(cos(angle), 0.0, sin(angle));
    outwards = gl_VertexID % 9 < 6 ? side : vec3(0.0, 1.0, 0.0);
    float up = corner < 2 ? 0.0 : backdrop.a;
    world = floor_place.xyz + side * (corner == 4 ? 0.0 : STAND * floor_place.w) + vec3(0.0, up, 0.0);
    gl_Position = view_projection * vec4(world, 1.0);
}
