import Joi from 'joi';

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
