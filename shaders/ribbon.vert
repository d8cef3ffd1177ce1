// Strands as ribbons that face the camera, a quad a segment: soft ones in the
// order given, the farthest first; or solid ones, which look like tubes.
uniform samplerBuffer colours;
#ifndef TUBES
uniform usamplerBuffer order;
#endif

out vec3 shade;
noperspective out float across;  // distance from the axis [px]
noperspective out float wide;    // of the strand [px]

// Two triangles.
const int CORNERS[6] = int[](0, 1, 2, 2, 1, 3);

void main() {
    int count = int(strand.x);
#ifdef TUBES
    int segment = gl_VertexID / 6;
#else
    int segment = int(texelFetch(order, gl_VertexID / 6).r);
#endif
    int s = segment / (count - 1);
    int corner = CORNERS[gl_VertexID % 6];
    int i = segment % (count - 1) + (corner >> 1);
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
    float reach = 0.5 * (wide + strand.w);
#endif
    across = side * reach;
    middle.xy += vec2(-sin(lit.a), cos(lit.a)) * side * 2.0 * reach / picture.xy * middle.w;
    shade = lit.rgb;
    gl_Position = middle;
}
