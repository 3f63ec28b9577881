import type { ImageParameters, VideoParameters } from '@framegate/contract';
import type { ExpectedSize, PixelSize, RoutedRequest } from './route.ts';
import { imageSize, videoSize } from './pixelSize.ts';
import type { SizeTable, SupportRow } from './routeSupport.ts';

/**
 * The size to expect for a request: the one that the row lists, else our own. A picture among the inputs may give
 * the ratio: a first frame by the row's word, other pictures in some models without one.
 */
export function expectedSize(row: SupportRow | undefined, request: RoutedRequest): ExpectedSize {
  const { type, parameters, inputs } = request;
  const { resolution, aspect_ratio: aspectRatio } = parameters;
  const listed = row?.sizes?.[resolution]?.[aspectRatio];
  const size = listed === undefined ? nominalSize(parameters) : parseSize(listed);
  return { sizes: [size], ratioFrom: ratioFrom(row, type, inputs) };
}

function nominalSize(parameters: VideoParameters | ImageParameters): PixelSize {
  const { resolution, aspect_ratio: aspectRatio } = parameters;
  return 'duration_seconds' in parameters
    ? videoSize(resolution, aspectRatio)
    : imageSize(resolution, aspectRatio);
}

function ratioFrom(
  row: SupportRow | undefined,
  type: RoutedRequest['type'],
  inputs: RoutedRequest['inputs'],
): ExpectedSize['ratioFrom'] {
  const leads = type === 'image' ? inputs : inputs.filter(({ role }) => role === 'first_frame');
  if (leads.length === 0) return 'order';
  return row?.keepsPictureRatio ? 'picture' : 'either';
}

function parseSize(text: string): PixelSize {
  const [width = Number.NaN, height = Number.NaN] = text.split('x').map(Number);
  return { width, height };
}

/** A table in which the sizes of a ratio and of its reverse are each other's, turned. */
export function withPortraits(landscape: SizeTable): SizeTable {
  const turned = (text: string, by: string) => text.split(by).toReversed().join(by);
  return Object.fromEntries(
    Object.entries(landscape).map(([resolution, sizes]) => {
      const portraits = Object.entries(sizes).map(([aspectRatio, size]) => [
        turned(aspectRatio, ':'),
        turned(size, 'x'),
      ]);
      return [resolution, { ...(Object.fromEntries(portraits) as typeof sizes), ...sizes }];
    }),
  );
}
