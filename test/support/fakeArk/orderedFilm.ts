import type { OrderedFilm } from '../sampleMedia.ts';

/** The short side of a film at 16:9, by ModelArk's name for its resolution. */
const shortSides: Readonly<Record<string, number>> = {
  '480p': 480,
  '720p': 720,
  '1080p': 1080,
  '4k': 2160,
};

/** The film requested by an order's fields: a resolution is an area, whatever the ratio. */
export function orderedFilm(fields: Record<string, unknown>): OrderedFilm {
  const { resolution, ratio, duration, generate_audio: sound } = fields;
  const short = shortSides[String(resolution)] ?? 720;
  const [across = 16, down = 9] =
    typeof ratio === 'string' && ratio.includes(':') ? ratio.split(':').map(Number) : [];
  const height = short * Math.sqrt(((16 / 9) * down) / across);
  const even = (side: number) => 2 * Math.round(side / 2);
  return {
    width: even((height * across) / down),
    height: even(height),
    seconds: typeof duration === 'number' ? duration : 5,
    sound: sound === true,
  };
}
