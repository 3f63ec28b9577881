import type { ExpectedSize, PixelSize, RoutedRequest } from './route.ts';
import { imageSize, videoSize } from './pixelSize.ts';
import type { Row } from './rows.ts';

/** The size of an order in pixels: the one that the row of its model lists, else our own. */
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
  const [width = Number.NaN, height = Number.NaN] = listed.split('x').map(Number);
  return { width, height };
}

/**
 * The size to expect for a request. A picture among the inputs may give the ratio: a first frame by the row's word,
 * other pictures in some models without one.
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
