import type { ExpectedSize, RoutedRequest } from './route.ts';
import { imageSize, videoSize } from './pixelSize.ts';
import type { Row } from './rows.ts';
import { parseSize } from './writeCall.ts';

/**
 * The size to expect for a request: the one that the row lists, else our own. A picture among the inputs may give
 * the ratio: a first frame by the row's word, other pictures in some models without one.
 */
export function expectedSize(row: Row | null, request: RoutedRequest): ExpectedSize {
  const { type, parameters, inputs } = request;
  const { resolution, aspect_ratio: aspectRatio } = parameters;
  const listed = row?.sizes?.[resolution]?.[aspectRatio];
  const own = type === 'video' ? videoSize : imageSize;
  const size = listed === undefined ? own(resolution, aspectRatio) : parseSize(listed);
  return { sizes: [size], ratioFrom: ratioFrom(row, type, inputs) };
}

function ratioFrom(
  row: Row | null,
  type: RoutedRequest['type'],
  inputs: RoutedRequest['inputs'],
): ExpectedSize['ratioFrom'] {
  const leads = type === 'image' ? inputs : inputs.filter(({ role }) => role === 'first_frame');
  if (leads.length === 0) return 'order';
  return row?.keepsPictureRatio ? 'picture' : 'either';
}
