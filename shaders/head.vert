// The head's surface, from the head's space into the picture.
#ifndef AT_VERTICES
centroid out vec3 world;
centroid out vec3 on_head;        // the same in the head's space
centroid out vec3 world_normal;
centroid out vec4 own_colour;
centroid out vec2 sky_and_roots;
centroid out vec2 on_map;
centroid out vec2 painted;
centroid out vec3 blood;          // what shows of it through skin, a factor
centroid out vec4 shade_of_hair;  // light of key, fill, rims and room that hair lets through
#elif defined(PICTURES)
centroid out vec3 soft;
centroid out vec3 shine;
centroid out vec3 skin;           // its share in the colour
centroid out vec3 own;            // what the picture is multiplied by
centroid out float bare;
centroid out vec2 on_map;
centroid out vec2 painted;
#else
centroid out vec3 shade;
#ifdef LIT
layout(location = 7) in vec4 lit;  // colour of a display: see shaders/head_shade.vert
#endif
#endif

void main() {
    vec3 place = (head_to_world * vec4(position, 1.0)).xyz;
    vec3 upright = mat3(head_to_world) * normal;
    // Strands that lie on the skin win: it is drawn as far behind as its depth changes over
    // a pixel. A driver's offset by the slope has no end where a surface is seen from its
    // side, and lets what is behind it through.
    vec3 to_camera = eye.xyz - place;
    float away = length(to_camera);
    vec3 sight = to_camera / max(away, 1e-4);
    float facing = max(abs(dot(normalize(upright), sight)), 0.1);
    float pixel = away / strand.z;
    float behind = min(pixel * (1.0 + sqrt(1.0 - facing * facing) / facing), 0.002);
    gl_Position = view_projection * vec4(place - behind * sight, 1.0);
#ifndef AT_VERTICES
    world = place;
    on_head = position;
    world_normal = upright;
    own_colour = vec4(diffuse.rgb, coloured() + on_eyeball());
    on_map = uv;
    painted = tint;
    blood = flush();
    sky_and_roots = vec2(air, grown());
    shade_of_hair = let_through(place, upright);
#elif defined(PICTURES)
    Skin at = at_vertex(place, upright);
    skin_light(at, soft, shine);
    bare = at.bare;
    skin = skin_colour.rgb * flush() * (1.0 - coloured());
    own = own_here() * coloured();
    on_map = uv;
    painted = tint;
#elif defined(LIT)
    shade = lit.rgb;
#else
    shade = shown(place, upright);
#endif
}
