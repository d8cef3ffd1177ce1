// The head's surface, from the head's space into the picture.
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 diffuse;  // a: 1 where the mesh brings a colour of its own
layout(location = 3) in float rooted;  // 1 where hair grows

out vec3 world;
out vec3 world_normal;
out vec4 own_colour;
out float hair_grows;

void main() {
    world = (head_to_world * vec4(position, 1.0)).xyz;
    world_normal = mat3(head_to_world) * normal;
    own_colour = diffuse;
    hair_grows = rooted;
    gl_Position = view_projection * vec4(world, 1.0);
}
