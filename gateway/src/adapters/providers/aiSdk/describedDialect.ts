import type { DescribedCalls } from '../describedCalls.ts';
import {
  ratio,
  standardDialect,
  standardImageCall,
  standardVideoCall,
  type Dialect,
} from '../dialect.ts';
import type { RouteSupport } from '../routeSupport.ts';

/** The interface as documented, with what the operator says of the package's calls. */
export function describedDialect(
  packageName: string,
  { optionsName, size = 'pixels', bytesOnly = false, refusals = [], maxPollMib }: DescribedCalls,
): Dialect {
  const inBody = refusals.map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  return {
    ...standardDialect,
    name: optionsName ?? packageName.replace(/^.*\//, ''),
    takesBytesOnly: bytesOnly,
    ...(maxPollMib !== undefined && { maxPollBytes: maxPollMib * 1024 * 1024 }),
    ...(inBody !== '' && { refusedBeforeWork: new RegExp(inBody, 'i') }),
    ...(size !== 'pixels' && {
      videoCall: (order) => {
        const call = standardVideoCall(order);
        // The interface writes it as pixels; these packages take a name there.
        const name = order.parameters.resolution as NonNullable<typeof call.resolution>;
        return { ...call, resolution: size === 'name' ? name : undefined, own: {} };
      },
      imageCall: (order) => ({
        ...standardImageCall(order),
        size: undefined,
        aspectRatio: ratio(order.parameters.aspect_ratio),
        own: {},
      }),
    }),
  };
}

/**
 * Why a route cannot be with a package that is told nothing of the resolution: it is billed, so there must
 * be one alone. Null when it can.
 */
export function unsentResolution(
  { size = 'pixels' }: DescribedCalls,
  type: 'video' | 'image',
  { resolutions }: Pick<RouteSupport, 'resolutions'>,
): string | null {
  const isSent = size === 'pixels' || (size === 'name' && type === 'video');
  if (isSent || resolutions?.length === 1) return null;
  return `its package is not told the resolution (calls.size is "${size}"): supports.resolutions must name the one that it makes`;
}
