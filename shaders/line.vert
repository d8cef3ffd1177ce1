// Strands as lines between their points.
uniform samplerBuffer colours;

out vec3 shade;

void main() {
    int segments = int(strand.x) - 1;
    int segment = gl_VertexID >> 1;
    int s = segment / segments;
    int i = segment % segments + (gl_VertexID & 1);
    shade = texelFetch(colours, s * (segments + 1) + i).rgb;
    gl_Position = view_projection * vec4(point_of(s, i).xyz, 1.0);
}
