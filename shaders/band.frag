// Elastic that is wound with thread: matt, with little gloss.
in vec3 world;
in vec3 outwards;
in vec3 own;
out vec4 colour;

void main() {
    vec3 normal = normalize(outwards);
    vec3 cell = (world + 0.006 * normal - box_low.xyz) * box_scale.xyz;
    vec3 inside = step(abs(cell - 0.5), vec3(0.5));
    float shaded = inside.x * inside.y * inside.z * box_low.a * box_scale.a;
    // It lies on the hair, of which half of a cell around it is no more than that.
    vec4 depth = 0.5 * in_box(HAIR_ONLY, cell);
    vec4 hair_lets = vec4(exp(-0.9 * shaded * depth.xyz), mix(1.0, depth.w, min(shaded, 1.0)));
    vec3 soft, shine;
    skin_light(Skin(world, normal, normal, normalize(eye.xyz - world), 0.8, 0.35, hair_lets, 1.0, 0.25), soft, shine);
    colour = vec4(own * soft + shine, 1.0);
#ifdef DISPLAYED
    colour.rgb = displayed(colour.rgb, gl_FragCoord.xy / picture.xy);
#endif
}
