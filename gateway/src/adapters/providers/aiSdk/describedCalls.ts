import Joi from 'joi';
import {
  ratio,
  standardDialect,
  standardImageCall,
  standardVideoCall,
  type Dialect,
} from '../dialect.ts';
import type { RouteSupport } from '../routeSupport.ts';

/**
 * What an operator says of the calls of a package without a dialect, where it differs from the
 * interface as `@ai-sdk/provider` documents it.
 */
export interface DescribedCalls {
  /** Its name in `providerOptions`; by custom the last part of the package's name. */
  optionsName?: string;
  /**
   * How it takes a size: in pixels (the default), by our name of the resolution beside the ratio, or by
   * the ratio alone, for models of one resolution.
   */
  size?: 'pixels' | 'name' | 'ratio';
  /** It takes pictures as bytes only, never as URLs. */
  bytesOnly?: boolean;
  /** Parts of error texts by which it refuses an order before any work, whatever the HTTP status. */
  refusals?: readonly string[];
  /** The largest answer to a poll, in MiB: more than 4 where finished files come inside it. */
  maxPollMib?: number;
}

/** `calls` of a provider in the ROUTES_FILE. */
export const describedCallsSchema = Joi.object({
  optionsName: Joi.string()
    .max(200)
    .pattern(/^[A-Za-z_$][\w$-]*$/, 'a name in providerOptions'),
  size: Joi.string().valid('pixels', 'name', 'ratio'),
  bytesOnly: Joi.boolean(),
  refusals: Joi.array().items(Joi.string().min(3).max(200)).min(1),
  maxPollMib: Joi.number().integer().min(1).max(256),
});

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
