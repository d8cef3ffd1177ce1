// What keeps light from places (src/render/occlusion.rs): three boxes of numbers for the
// same places, one behind the other in one volume.
uniform sampler3D occlusion;

const int TOWARDS_LIGHTS = 0;  // optical depth of hair and head towards each light
const int OPEN_AIR = 1;        // xyz: where the air is open, w: how open
const int HAIR_ONLY = 2;       // optical depth of the hair towards key, fill, rims; open air

// The numbers of a box at a place, 0..1 from its lowest corner; beyond an edge those there.
vec4 in_box(int box, vec3 cell) {
    int slices = textureSize(occlusion, 0).z / 3;
    // Not halfway into the next box, whatever the weights of a filter are rounded to.
    float edge = 0.5 + 1.0 / 256.0;
    float slice = clamp(cell.z * float(slices), edge, float(slices) - edge) + float(box * slices);
    return textureLod(occlusion, vec3(cell.xy, slice / float(3 * slices)), 0.0);
}
