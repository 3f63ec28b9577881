import { imageSize, videoSize } from './pixelSize.ts';
import type { ExpectedSize, PixelSize, RoutedRequest } from './route.ts';
import type { Row } from './rows.ts';

/** The size of an order in pixels: the one listed in its model's row, else our own. */
export function sizeOf(
  row: Row | null,
  type: RoutedRequest['type'],
  { resolution, aspect_ratio: ratio }: RoutedRequest['parameters'],
): PixelSize {
  const listed = row?.sizes?.[resolution]?.[ratio];
  if (listed === undefined) {
    return type === 'video'
      ? videoSize(resolution, ratio)
      : imageSize(resolution, ratio, row?.step);
  }
  const [width = NaN, height = NaN] = listed.split('x').map(Number);
  return { width, height };
}

/**
 * The expected size of a request. An input picture may determine the ratio: a first frame according to the row, other
 * pictures in some models without one.
 */
export function expectedSize(
  row: Row | null,
  { type, parameters, inputs }: RoutedRequest,
): ExpectedSize {
  const leads = type === 'image' ? inputs : inputs.filter(({ role }) => role === 'first_frame');
  const ofPicture = row?.keepsPictureRatio ? 'picture' : 'either';
  return {
    sizes: [sizeOf(row, type, parameters)],
    ratioFrom: leads.length === 0 ? 'order' : ofPicture,
  };
}
