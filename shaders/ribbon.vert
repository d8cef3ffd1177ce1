// Strands as ribbons that face the camera, a quad a segment: soft ones in the
// order given, the farthest first, which is one of runs of RUN segments where that is
// defined; or solid ones, which look like tubes.
uniform samplerBuffer colours;
#ifndef TUBES
uniform usamplerBuffer order;
#endif

out vec3 shade;
noperspective out float across;  // distance from the axis [px]
noperspective out float wide;    // of the strand [px]

#ifdef RUN
// Quads of a run share their corners: two a point.
const int EACH = 2 * (RUN + 1);
#else
// Two triangles.
const int CORNERS[6] = int[](0, 1, 2, 2, 1, 3);
#endif

void main() {
    int count = int(strand.x);
#ifdef RUN
    int runs = (count - 2 + RUN) / RUN;
    int run = int(texelFetch(order, gl_InstanceID * BATCH + gl_VertexID / EACH).r);
    int corner = gl_VertexID % EACH;
    int s = run / runs;
    // The last run of a strand may be longer than what is left of it: nothing is drawn
    // between the last point and itself.
    int i = min(run % runs * RUN + (corner >> 1), count - 1);
#else
    int quad = gl_VertexID / 6;
#ifdef TUBES
    int segment = quad;
#else
    int segment = int(texelFetch(order, quad).r);
#endif
    int s = segment / (count - 1);
    int corner = CORNERS[gl_VertexID % 6];
    int i = segment % (count - 1) + (corner >> 1);
#endif
    vec4 here = texelFetch(points, s * count + i);
    vec4 lit = texelFetch(colours, s * count + i);
    vec4 middle = view_projection * vec4(here.xyz, 1.0);
    float side = (corner & 1) == 0 ? -1.0 : 1.0;
    wide = strand.y * width_of(s, here.w) * strand.z / middle.w;
#ifdef TUBES
    // Solid: never thinner than a pixel.
    wide = max(wide, 1.0);
    float reach = 0.5 * wide;
#else
    // Half a pixel on either side for the soft edge.
    float reach = 0.5 * (wide + 1.0);
#endif
    across = side * reach;
    middle.xy += vec2(-sin(lit.a), cos(lit.a)) * side * 2.0 * reach / picture.xy * middle.w;
    shade = lit.rgb;
    gl_Position = middle;
}
