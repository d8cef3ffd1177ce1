// Strands as wide lines of the driver, one a segment, in the order given: what
// ribbons are, for a picture that has to be swift.
uniform samplerBuffer colours;
uniform usamplerBuffer order;

out vec3 shade;
noperspective out float wide;  // of the strand [px]
flat out vec3 axis;            // of the segment: distance of a place in the picture [px]

void main() {
    int count = int(strand.x);
    int segment = int(texelFetch(order, gl_VertexID >> 1).r);
    int i = segment / (count - 1) * count + segment % (count - 1);
    int end = gl_VertexID & 1;
    vec4 here = texelFetch(points, i + end);
    vec4 place = view_projection * vec4(here.xyz, 1.0);
    vec4 other = view_projection * vec4(texelFetch(points, i + 1 - end).xyz, 1.0);
    vec2 at = (place.xy / place.w * 0.5 + 0.5) * picture.xy;
    vec2 along = (other.xy / other.w * 0.5 + 0.5) * picture.xy - at;
    vec2 across = vec2(-along.y, along.x) / max(length(along), 1e-6);
    axis = vec3(across, -dot(across, at));
    wide = strand.y * width_of(segment / (count - 1), here.w) * strand.z / place.w;
    shade = texelFetch(colours, i + end).rgb;
    gl_Position = place;
}
