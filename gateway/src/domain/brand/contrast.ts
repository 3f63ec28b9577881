/** Red, green and blue of `#rrggbb`, each from 0 to 255. */
function channelsOf(colour: string): [number, number, number] {
  const channel = (at: number) => Number.parseInt(colour.slice(at, at + 2), 16);
  return [channel(1), channel(3), channel(5)];
}

/** Relative luminance from 0 to 1, as defined by WCAG 2.2. */
function luminance(colour: string): number {
  const [red, green, blue] = channelsOf(colour).map((each) => {
    const share = each / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast ratio of two colours, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** A colour over another, mixed like `color-mix(in srgb, …)`. @param share The first colour's share, from 0 to 1. */
export function mix(colour: string, ground: string, share: number): string {
  const below = channelsOf(ground);
  const mixed = channelsOf(colour).map((each, index) =>
    Math.round(each * share + (below[index] ?? 0) * (1 - share)),
  );
  return `#${mixed.map((each) => each.toString(16).padStart(2, '0')).join('')}`;
}

/** The choice with the highest contrast on a background. */
export function readableOn(ground: string, choices: readonly string[]): string {
  const [best = ''] = choices.toSorted((a, b) => contrast(b, ground) - contrast(a, ground));
  return best;
}
