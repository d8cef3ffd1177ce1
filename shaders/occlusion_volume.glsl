// What keeps light from places (src/render/occlusion.rs): three boxes of numbers for the
// same places, one behind the other in one volume.
uniform sampler3D occlusion;

const int TOWARDS_LIGHTS = 0;  // optical depth of hair and head towards each light
const int OPEN_AIR = 1;        // xyz: where the air is open, w: how open
const int HAIR_ONLY = 2;       // optical depth of the hair towards key, fill, rims; open air

// How fast light falls off with the optical depth of hair on its way to skin, floor and
// bands, and to strands of painted colour. Of opaque strands an average of one in the way
// lets exp(-1) past; hair lets a little more. Taste.
const float EXTINCTION = 0.9;

// The numbers of a box at a place, 0..1 from its lowest corner; beyond an edge those there.
vec4 in_box(int box, vec3 cell) {
    int slices = textureSize(occlusion, 0).z / 3;
    // Not halfway into the next box, whatever the weights of a filter are rounded to.
    float edge = 0.5 + 1.0 / 256.0;
    float slice = clamp(cell.z * float(slices), edge, float(slices) - edge) + float(box * slices);
    return textureLod(occlusion, vec3(cell.xy, slice / float(3 * slices)), 0.0);
}

// Light of key, fill, rims and room that the hair lets past, by the numbers of HAIR_ONLY;
// "shaded" is the strength of the shadow.
vec4 let_past(vec4 depth, float shaded) {
    return vec4(exp(-EXTINCTION * shaded * depth.xyz), mix(1.0, depth.w, min(shaded, 1.0)));
}
