// What binds hair: rings around it, in the world.
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 cloth;

out vec3 world;
out vec3 outwards;
out vec3 own;

void main() {
    world = position;
    outwards = normal;
    own = cloth;
    gl_Position = view_projection * vec4(position, 1.0);
}
