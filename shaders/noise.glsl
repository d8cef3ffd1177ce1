// Noise that is the same wherever it is asked for.

// A random number for each corner of a grid.
float corner(vec3 p) {
    p = fract(p * vec3(0.1031, 0.1030, 0.0973));
    p += dot(p, p.yxz + 33.33);
    return fract((p.x + p.y) * p.z);
}

// Smooth noise around 0 with its slope in xyz (Quilez' derivative of value
// noise with a cubic fade).
vec4 noise(vec3 p) {
    vec3 i = floor(p), f = p - i;
    vec3 u = f * f * (3.0 - 2.0 * f);
    vec3 du = 6.0 * f * (1.0 - f);
    float a = corner(i), b = corner(i + vec3(1, 0, 0));
    float c = corner(i + vec3(0, 1, 0)), d = corner(i + vec3(1, 1, 0));
    float e = corner(i + vec3(0, 0, 1)), g = corner(i + vec3(1, 0, 1));
    float h = corner(i + vec3(0, 1, 1)), k = corner(i + vec3(1, 1, 1));
    float kx = b - a, ky = c - a, kz = e - a;
    float kxy = a - b - c + d, kyz = a - c - e + h, kzx = a - b - e + g;
    float kxyz = b + c - d + e - g - h + k - a;
    float value = a + kx * u.x + ky * u.y + kz * u.z + kxy * u.x * u.y + kyz * u.y * u.z
        + kzx * u.z * u.x + kxyz * u.x * u.y * u.z;
    vec3 slope = du * vec3(kx + kxy * u.y + kzx * u.z + kxyz * u.y * u.z,
                           ky + kyz * u.z + kxy * u.x + kxyz * u.z * u.x,
                           kz + kzx * u.x + kyz * u.y + kxyz * u.x * u.y);
    return vec4(slope, 2.0 * value - 1.0);
}
