// The stand's surface: matt, dim under the bust and near the floor.
in vec3 world;
in vec3 outwards;
out vec4 colour;

void main() {
    vec3 normal = normalize(outwards);
    float above = (world.y - floor_place.y) / floor_place.w;
    float below = max(stand_height() / floor_place.w - above, 0.0);
    float seen = (1.0 - 0.5 * exp(-3.0 * below)) * (1.0 - 0.4 * exp(-6.0 * above));
    // Under the box of hair, what is hidden at its lowest place.
    vec3 cell = clamp((world - box_low.xyz) * box_scale.xyz, 0.02, 0.98);
    float shaded = shadow_strength() * hair_drawn();
    vec4 hair_lets = let_past(in_box(HAIR_ONLY, cell), shaded);
    vec3 soft, shine;
    skin_light(Skin(world, normal, normal, normalize(eye.xyz - world), seen, 0.0, hair_lets, 0.0, 0.5), soft, shine);
    colour = vec4(0.9 * backdrop.rgb * soft, 1.0);
#ifdef DISPLAYED
    colour.rgb = displayed(colour.rgb, gl_FragCoord.xy / picture.xy);
#endif
}
