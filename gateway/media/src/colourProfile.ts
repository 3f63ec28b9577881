/**
 * The columns of sRGB in a profile (ICC.1, adapted to D50): red, green and blue, each as X, Y and Z.
 */
const srgbColumns = {
  rXYZ: [0.4361, 0.2225, 0.0139],
  gXYZ: [0.3851, 0.7169, 0.0971],
  bXYZ: [0.1431, 0.0606, 0.7141],
} as const;

/** Maximum imperceptible differences: writers round the columns and the curve. */
const maxDifference = { column: 0.003, curve: 0.006 };

/** Whether an ICC profile states sRGB and nothing else. False if it cannot be read. */
export function isSrgbProfile(icc: Buffer): boolean {
  try {
    if (icc.toString('latin1', 16, 20) !== 'RGB ') return false;
    const tags = tagsOf(icc);
    // Tables take precedence over columns.
    if (tags.has('A2B0')) return false;
    return (
      Object.entries(srgbColumns).every(([name, column]) =>
        column.every((value, row) => {
          const offset = (tags.get(name) ?? icc.length) + 8 + 4 * row;
          return Math.abs(icc.readInt32BE(offset) / 65536 - value) < maxDifference.column;
        }),
      ) &&
      ['rTRC', 'gTRC', 'bTRC'].every((name) =>
        [0.05, 0.25, 0.5, 0.75].every(
          (x) =>
            Math.abs(curveAt(icc, tags.get(name) ?? icc.length, x) - linear(x)) <
            maxDifference.curve,
        ),
      )
    );
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Light for a value of sRGB (IEC 61966-2-1), both from 0 to 1. */
const linear = (x: number) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);

/** Offsets of the tags by name. */
function tagsOf(icc: Buffer): Map<string, number> {
  const count = Math.min(icc.readUInt32BE(128), 100);
  return new Map(
    Array.from({ length: count }, (_, index) => {
      const offset = 132 + index * 12;
      return [icc.toString('latin1', offset, offset + 4), icc.readUInt32BE(offset + 4)];
    }),
  );
}

/** The value of a curve of type `curv` or `para` at x, both from 0 to 1. @throws RangeError if it is cut short. */
function curveAt(icc: Buffer, offset: number, x: number): number {
  const type = icc.readUInt32BE(offset);
  if (type === 0x63757276) {
    const count = icc.readUInt32BE(offset + 8);
    if (count === 0) return x;
    if (count === 1) return x ** (icc.readUInt16BE(offset + 12) / 256);
    const position = x * (count - 1);
    const value = (index: number) => icc.readUInt16BE(offset + 12 + 2 * index) / 65535;
    const [from, to] = [value(Math.floor(position)), value(Math.ceil(position))];
    return from + (to - from) * (position % 1);
  }
  // Parametric curves of type 3: (ax + b)^g from d on, below cx. Others are not sRGB.
  if (type !== 0x70617261 || icc.readUInt16BE(offset + 8) !== 3) return NaN;
  const [g = 0, a = 0, b = 0, c = 0, d = 0] = [0, 1, 2, 3, 4].map(
    (index) => icc.readInt32BE(offset + 12 + 4 * index) / 65536,
  );
  return x >= d ? (a * x + b) ** g : c * x;
}
