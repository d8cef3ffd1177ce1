// The head's surface, from the head's space into the picture.
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 diffuse;  // a: 1 where the mesh brings a colour of its own
layout(location = 3) in float air;     // how much of the room is seen, 0..1
layout(location = 4) in float rooted;  // 1 where hair grows
layout(location = 5) in vec2 uv;       // place in the material's pictures

uniform sampler3D hair_only;           // depth towards key, fill, rims; open air

centroid out vec3 world;
centroid out vec3 on_head;                      // the same in the head's space
centroid out vec3 world_normal;
centroid out vec4 own_colour;
centroid out vec2 sky_and_roots;
centroid out vec2 on_map;
centroid out vec3 blood;                        // what shows of it through skin, a factor
centroid out vec4 shade_of_hair;                // light of key, fill, rims and room that hair lets through

void main() {
    world = (head_to_world * vec4(position, 1.0)).xyz;
    on_head = position;
    world_normal = mat3(head_to_world) * normal;
    own_colour = diffuse;
    on_map = uv;
    float blotch = noise(position * 70.0).w + 0.6 * noise(position * 190.0).w;
    blood = 1.0 + blotch * vec3(0.015, -0.055, -0.045);
    sky_and_roots = vec2(air, rooted * box_scale.a);
    vec3 above = world + normalize(world_normal) * 0.006;
    vec4 depth = textureLod(hair_only, (above - box_low.xyz) * box_scale.xyz, 0.0);
    vec3 inside = step(abs((above - box_low.xyz) * box_scale.xyz - 0.5), vec3(0.5));
    float shaded = inside.x * inside.y * inside.z * box_low.a * box_scale.a;
    shade_of_hair = vec4(exp(-0.9 * shaded * depth.xyz), mix(1.0, depth.w, min(shaded, 1.0)));
    gl_Position = view_projection * vec4(world, 1.0);
}
