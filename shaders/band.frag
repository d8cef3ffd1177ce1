// Elastic that is wound with thread: matt, with little gloss.
in vec3 world;
in vec3 outwards;
in vec3 own;
out vec4 colour;

void main() {
    vec3 normal = normalize(outwards);
    vec3 cell = (world + 0.006 * normal - box_low.xyz) * box_scale.xyz;
    vec3 inside = step(abs(cell - 0.5), vec3(0.5));
    float shaded = inside.x * inside.y * inside.z * shadow_strength() * hair_drawn();
    vec4 depth = in_box(HAIR_ONLY, cell);
    // It lies on the hair: of what a cell counts as in the way, half is under it. How open
    // the air is, the fourth number, is no depth.
    depth.xyz *= 0.5;
    vec4 hair_lets = let_past(depth, shaded);
    vec3 soft, shine;
    skin_light(Skin(world, normal, normal, normalize(eye.xyz - world), 0.8, 0.35, hair_lets, 1.0, 0.25), soft, shine);
    colour = vec4(own * soft + shine, 1.0);
#ifdef DISPLAYED
    colour.rgb = displayed(colour.rgb, gl_FragCoord.xy / picture.xy);
#endif
}
