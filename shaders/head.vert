// The head's surface, from the head's space into the picture.
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 diffuse;  // a: 1 where the mesh brings a colour of its own, 0 where rgb is a factor of the skin's
layout(location = 3) in float air;     // how much of the room is seen, 0..1
layout(location = 4) in float rooted;  // 1 where hair grows
layout(location = 5) in vec2 uv;       // place in the material's pictures
layout(location = 6) in vec2 tint;     // what is painted there, and how much it shows

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
#endif

void main() {
    vec3 place = (head_to_world * vec4(position, 1.0)).xyz;
    vec3 upright = mat3(head_to_world) * normal;
    float blotch = noise(position * 70.0).w + 0.6 * noise(position * 190.0).w;
    vec3 flush = 1.0 + (1.0 - skin_colour.a) * blotch * vec3(0.015, -0.055, -0.045);
    // Lips and cheeks.
    flush *= pow(max(mix(diffuse.rgb, vec3(1.0), diffuse.a), 0.01), vec3((1.0 - skin_colour.a) * ground.a));
    float coloured = (1.0 - skin_colour.a) * diffuse.a;
    float grown = rooted * box_scale.a;
    vec3 above = place + normalize(upright) * 0.006;
    vec4 depth = in_box(HAIR_ONLY, (above - box_low.xyz) * box_scale.xyz);
    vec3 inside = step(abs((above - box_low.xyz) * box_scale.xyz - 0.5), vec3(0.5));
    float shaded = inside.x * inside.y * inside.z * box_low.a * box_scale.a;
    // Cells of the grid are wider than a parting and a hairline, into which light falls:
    // a thin blur of hair is none, and where the scalp shows, less is in the way.
    float seen = 1.0 - 2.0 * grown * (1.0 - grown);
    depth.xyz *= seen * depth.xyz / (depth.xyz + 0.6);
    float closed = (1.0 - depth.w) * (1.0 - depth.w) / (1.1 - depth.w);
    vec4 hair_lets = vec4(exp(-0.9 * shaded * depth.xyz), 1.0 - min(shaded, 1.0) * seen * closed);
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
    own_colour = vec4(diffuse.rgb, coloured);
    on_map = uv;
    painted = tint;
    blood = flush;
    sky_and_roots = vec2(air, grown);
    shade_of_hair = hair_lets;
#else
    vec3 to_eye = normalize(eye.xyz - place);
    vec3 outwards = normalize(upright);
    // The inside of an open scan.
    outwards = dot(outwards, to_eye) < -0.2 ? -outwards : outwards;
#ifndef PICTURES
    vec3 soft, shine;
    float bare;
#endif
    bare = 1.0 - grown;
    skin_light(Skin(place, outwards, outwards, to_eye, air, bare, hair_lets, 1.0, 0.07), soft, shine);
#ifdef PICTURES
    skin = skin_colour.rgb * flush * (1.0 - coloured);
    own = diffuse.rgb * coloured;
    on_map = uv;
    painted = tint;
#else
    vec3 skin = painted_skin(mix(skin_colour.rgb * flush, diffuse.rgb, coloured), bare);
    vec3 light = tinted(skin, tint) * soft + shine;
    shade = displayed(light, gl_Position.xy / gl_Position.w * 0.5 + 0.5);
#endif
#endif
}
