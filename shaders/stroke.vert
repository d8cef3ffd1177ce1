// Strands as wide lines of the driver, one a segment, in the order given: what
// ribbons are, for a picture that has to be swift. Attributes are fetched faster
// than texels, and indices let segments of a strand share their vertices.
layout(location = 0) in vec4 here;   // xyz: place [m], w: 0 at the root .. 1 at the tip
layout(location = 1) in vec4 after;  // the point after it
layout(location = 2) in vec4 lit;    // rgb: colour

out vec3 shade;
noperspective out float wide;  // of the strand [px]
flat out vec3 axis;            // of the segment to the point after: distance of a place in the picture [px]

void main() {
    vec4 place = view_projection * vec4(here.xyz, 1.0);
    vec4 other = view_projection * vec4(after.xyz, 1.0);
    vec2 at = (place.xy / place.w * 0.5 + 0.5) * picture.xy;
    vec2 along = (other.xy / other.w * 0.5 + 0.5) * picture.xy - at;
    vec2 across = vec2(-along.y, along.x) / max(length(along), 1e-6);
    axis = vec3(across, -dot(across, at));
    wide = strand.y * width_of(gl_VertexID / int(strand.x), here.w) * strand.z / place.w;
    shade = lit.rgb;
    gl_Position = place;
}
