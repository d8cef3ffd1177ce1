// The colour of each point of the drawn strands, kept in a buffer: every pass
// that draws them reads it.
out vec4 shaded;  // rgb: light, a: where the strand heads in the picture [rad]

vec2 in_picture(vec3 place) {
    vec4 p = view_projection * vec4(place, 1.0);
    return p.xy / p.w * picture.xy;
}

void main() {
    int count = int(strand.x);
    int s = gl_VertexID / count;
    int i = gl_VertexID % count;
    vec4 here = point_of(s, i);
    vec3 before = point_of(s, i - 1).xyz;
    vec3 after = point_of(s, i + 1).xyz;
    vec3 tangent = normalize(before - after + vec3(0.0, 1e-9, 0.0));
    vec2 heading = in_picture(after) - in_picture(before);
    float angle = dot(heading, heading) > 1e-12 ? atan(heading.y, heading.x) : 0.0;
    shaded = vec4(strand_light(here.xyz, tangent, here.w, uint(s)), angle);
}
