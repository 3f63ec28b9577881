import { between, pick, type Random } from './random.ts';

/** Red, green and blue, 0 to 255. */
type Colour = readonly [number, number, number];

/** Colours of a scene that match and allow white text in the upper half. */
export interface Palette {
  skyTop: Colour;
  skyLow: Colour;
  light: Colour;
  far: Colour;
  near: Colour;
}

const palettes: readonly [Palette, ...Palette[]] = [
  palette('1a2848', 'e39a7c', 'ffe6bf', 'a4667f', '211a38'), // dawn
  palette('261a4a', 'd8697a', 'ffd9a8', '8a4a7c', '170f2e'), // dusk
  palette('0b2740', '5fb3b8', 'fdf4d6', '2f7f94', '06202f'), // sea
  palette('0f2b28', '8fbf95', 'fff6d8', '4b8a70', '081f1c'), // wood
  palette('090e28', '40569f', 'eef2ff', '2c3d7d', '060a1d'), // night
  palette('4a2333', 'e2a066', 'fff0cc', 'b9694f', '2c1320'), // desert
  palette('17304f', '9cc7dc', 'ffffff', '6598b8', '102439'), // ice
  palette('221138', 'a86cbe', 'ffe4f3', '6f4696', '150826'), // plum
  palette('280e1b', 'd95f47', 'ffddb3', '923647', '1a0810'), // ember
  palette('1c2a24', 'c4b264', 'fff8da', '7b8c4b', '111c17'), // moss
];

/** A random palette with slightly rotated hues, so that two renders rarely look alike. */
export function choosePalette(random: Random): Palette {
  const chosen = pick(random, palettes);
  const turn = between(random, -14, 14);
  return {
    skyTop: rotateHue(chosen.skyTop, turn),
    skyLow: rotateHue(chosen.skyLow, turn),
    light: chosen.light,
    far: rotateHue(chosen.far, turn),
    near: rotateHue(chosen.near, turn),
  };
}

/** Interpolates two colours: 0 is the first, 1 the second. */
export function mix(from: Colour, to: Colour, share: number): Colour {
  const at = (index: 0 | 1 | 2) => from[index] + (to[index] - from[index]) * share;
  return [at(0), at(1), at(2)];
}

/** CSS notation of a colour. */
export function css(colour: Colour, alpha = 1): string {
  const [red, green, blue] = colour.map(Math.round);
  return `rgba(${red}, ${green}, ${blue}, ${alpha.toFixed(4)})`;
}

function palette(...hex: [string, string, string, string, string]): Palette {
  const [skyTop, skyLow, light, far, near] = hex;
  return {
    skyTop: parseHex(skyTop),
    skyLow: parseHex(skyLow),
    light: parseHex(light),
    far: parseHex(far),
    near: parseHex(near),
  };
}

function parseHex(hex: string): Colour {
  const value = Number.parseInt(hex, 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/** Rotates a hue by degrees with constant perceived brightness (rotation about the grey axis). */
function rotateHue([red, green, blue]: Colour, degrees: number): Colour {
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const third = (1 - cos) / 3;
  const skew = sin / Math.sqrt(3);
  const clamp = (value: number) => Math.min(255, Math.max(0, value));
  return [
    clamp(red * (cos + third) + green * (third - skew) + blue * (third + skew)),
    clamp(red * (third + skew) + green * (cos + third) + blue * (third - skew)),
    clamp(red * (third - skew) + green * (third + skew) + blue * (cos + third)),
  ];
}
