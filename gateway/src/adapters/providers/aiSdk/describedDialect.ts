import type { DescribedCalls } from '../describedCalls.ts';
import {
  ratio,
  standardDialect,
  standardImageCall,
  standardVideoCall,
  type Dialect,
} from '../dialect.ts';
import type { RouteSupport } from '../routeSupport.ts';
import { literalPattern } from '../../../domain/foldText.ts';

/** The interface as documented, with what the operator says of the package's calls. */
export function describedDialect(
  packageName: string,
  { optionsName, size = 'pixels', bytesOnly = false, refusals = [], maxPollMib }: DescribedCalls,
): Dialect {
  const inBody = refusals.map(literalPattern).join('|');
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
 * Where a package is told nothing of the resolution there must be one alone, because it is billed.
 * @throws Error for the operator.
 */
export function requireOneResolution(
  { size = 'pixels' }: DescribedCalls,
  type: 'video' | 'image',
  { resolutions }: Pick<RouteSupport, 'resolutions'>,
): void {
  const isSent = size === 'pixels' || (size === 'name' && type === 'video');
  if (isSent || resolutions?.length === 1) return;
  throw new Error(
    `its package is not told the resolution (calls.size is "${size}"): supports.resolutions must name the one that it makes`,
  );
}
