// Brows and lashes: ribbons that face the camera, two corners a point.
layout(location = 0) in vec4 place;    // in the head's space [m], w: 0 at the root .. 1 at the tip
layout(location = 1) in vec4 heading;  // to the root, w: which side of the ribbon
layout(location = 2) in vec3 kind;     // diameter [m]; eumelanin added to that of the head's hair; its number
#ifdef LIT
uniform samplerBuffer face_colours;  // of each point: see shaders/face_shade.vert
#endif

out vec3 shade;
noperspective out float across;  // distance from the axis [px]
noperspective out float wide;    // of the hair [px]

void main() {
    vec3 here = (head_to_world * vec4(place.xyz, 1.0)).xyz;
    vec3 tangent = mat3(head_to_world) * heading.xyz;
    vec4 middle = view_projection * vec4(here, 1.0);
    wide = kind.x * mix(1.0, 0.2, place.w * place.w) * strand.z / middle.w;
#ifdef DISPLAYED
    // Blended in colours of a display, dark hair over skin darkens it more.
    wide *= 0.8;
#endif
    float reach = 0.5 * (wide + 1.0);
    across = heading.w * reach;
    vec4 back = view_projection * vec4(here + tangent * 0.001, 1.0);
    vec2 way = (middle.xy / middle.w - back.xy / back.w) * picture.xy;
    way = dot(way, way) > 1e-12 ? normalize(way) : vec2(1.0, 0.0);
#ifdef LIT
    shade = texelFetch(face_colours, gl_VertexID >> 1).rgb;
#else
    shade = face_light(place.xyz, heading.xyz, kind.y, uint(kind.z));
#endif
    middle.xy += vec2(-way.y, way.x) * across * 2.0 / picture.xy * middle.w;
    gl_Position = middle;
}
