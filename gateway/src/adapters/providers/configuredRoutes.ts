import type { JSONValue } from '@ai-sdk/provider';
import type { FailureCode } from '@framegate/contract';
import Joi from 'joi';
import type { RouteLimits } from '../../application/ports/providers.ts';
import type { Money, RouteCost } from '../../domain/cost.ts';
import type { SupportsJson } from './routeSupport.ts';

/** Any JSON object, handed through to a provider. */
export type JsonObject = Record<string, JSONValue>;

/** A text in a provider's refusal or verdict, and what it means to the customer. */
export interface ErrorRule {
  /** Part of the provider's error code or message, in any case of letters. */
  match: string;
  code: FailureCode;
}

/** What holds for every provider. */
interface CommonProvider {
  name: string;
  /** Generations that may be with it at once. */
  maxConcurrent: number;
  errorRules: readonly ErrorRule[];
  /** The most that its orders of a day (UTC) may cost; null: no limit. */
  budget: Money | null;
}

/** The built-in renderer. */
export interface PreviewProvider extends CommonProvider {
  kind: 'preview-renderer';
}

/** A key for a provider's API. */
export interface ProviderKey {
  /** The environment variable that holds it: stored with what was ordered by it, and no secret. */
  name: string;
  secret: string;
}

/** What holds for every provider that is reached over HTTP. */
export interface HttpProvider extends CommonProvider {
  /** Taken in turn; at least one. */
  keys: readonly ProviderKey[];
  /** Origins to reach elsewhere, such as through the operator's proxy. */
  rewriteOrigins: ReadonlyMap<string, string>;
  /** Origins of its API that its entry names: `baseURL`, addresses in `options`, what is rewritten. */
  apiOrigins: ReadonlySet<string>;
  /** `host`, `*.suffix` or `host:port`: where files may be downloaded from. */
  mediaHosts: readonly string[];
  /** Plain http and private addresses for its API and media. */
  allowPrivateNetwork: boolean;
}

/** A package with the Vercel AI SDK's provider interface, from the operator's installation. */
export interface AiSdkProvider extends HttpProvider {
  kind: 'ai-sdk';
  package: string;
  factory: string;
  /** Given to the factory in addition to the key and our fetch. */
  options: JsonObject;
  /** How it is called, where Framegate has no dialect for it. */
  calls: DescribedCalls;
}

/** BytePlus ModelArk. */
export interface ModelArkProvider extends HttpProvider {
  kind: 'model-ark';
  baseURL: string;
}

export type Provider = PreviewProvider | AiSdkProvider | ModelArkProvider;

/** One way to have a model's work done. */
export interface RouteEntry {
  provider: string;
  /** The provider's own model id. */
  model: string;
  /** The provider's own options, sent with every request; null takes one of ours away. */
  options: JsonObject;
  /** Further ones, sent in real-person mode only. */
  realPersonOptions: JsonObject;
  /** What differs from the tested defaults of the provider. */
  supports: SupportsJson;
  /** How often it goes before its neighbours with a weight; null: it has a place of its own. */
  weight: number | null;
  /** Whether a submission of unknown outcome may be repeated. Null: the kind's default. */
  safeToRepeat: boolean | null;
  /** What an order costs the operator; null: not stated. */
  cost: RouteCost | null;
  /** Limits of its own, beside the provider's; equal for all entries of one provider and model. */
  limits: RouteLimits | null;
}

/** The checked ROUTES_FILE, with the providers' keys. Never log it. */
export interface RoutesFile {
  providers: ReadonlyMap<string, Provider>;
  /** By our model id, in the operator's order. */
  models: ReadonlyMap<string, { type: 'video' | 'image'; routes: readonly RouteEntry[] }>;
}

/** Whether a route of some model leads to the preview renderer. */
export function usesPreview(file: RoutesFile): boolean {
  const used = [...file.models.values()].flatMap(({ routes }) => routes);
  return used.some(({ provider }) => file.providers.get(provider)?.kind === 'preview-renderer');
}

/** Whether the preview renderer is the first to be asked for this model. */
export function isPreviewed(file: RoutesFile, modelId: string): boolean {
  const first = file.models.get(modelId)?.routes[0]?.provider ?? '';
  return file.providers.get(first)?.kind === 'preview-renderer';
}

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

/** `models["alpha-2.0-pro"][0].supports`, as it is written in code. */
export function jsonPath(path: readonly (string | number)[]): string {
  const written = path.map((part, i) => {
    if (typeof part === 'number') return `[${String(part)}]`;
    if (!/^[A-Za-z_]\w*$/.test(part)) return `[${JSON.stringify(part)}]`;
    return i === 0 ? part : `.${part}`;
  });
  return written.join('') || 'The file';
}
