import Joi from 'joi';
import { withoutEndSlashes } from '@framegate/contract';
import { comfyFields, type ComfyUiJson } from './comfyUi/comfyFile.ts';
import {
  type AiSdkProvider,
  describedCallsSchema,
  type DescribedProvider,
  type HttpProvider,
  type ModelArkProvider,
  type PreviewProvider,
  type RouteEntry,
  type RoutesFile,
} from './configuredRoutes.ts';
import type { DescribingFields } from './http/describe.ts';
import { describeProblems, fields, oneOf, withReadableMessages } from './joiShapes.ts';
import { type KeysJson, keysSchema } from './providerKeys.ts';
import { flagFields } from './resultFlags.ts';
import { settledAspects } from './route.ts';
import { budgetSchema, costSchema } from './routeCost.ts';
import type { Abilities } from './routeSupport.ts';
import { doesSchema, sendSchema } from './rowSchema.ts';
import { fieldsOf } from './unknownJson.ts';
import { ruleCodes } from './verdicts.ts';

/** A provider reached over HTTP, as written. */
type HttpJson<P extends HttpProvider> = Omit<P, 'name' | 'keys' | 'apiOrigins'> & KeysJson;
/** A provider as written whose API's origins its entry names. */
export type HttpProviderJson = HttpJson<AiSdkProvider> | HttpJson<ModelArkProvider>;

/** A described API as written. */
export type DescribedJson = Omit<HttpJson<DescribedProvider>, 'description' | 'baseURL'> &
  DescribingFields;

/** A provider as written, with the defaults of its kind. */
export type ProviderJson =
  Omit<PreviewProvider, 'name'> | HttpProviderJson | DescribedJson | (ComfyUiJson & KeysJson);

/** A model's route as written, with its defaults. */
export interface RouteJson extends Omit<RouteEntry, 'listedAt' | 'does' | 'limits'> {
  does?: Abilities;
  maxConcurrent?: number;
  startsPerMinute?: number;
}

/** ROUTES_FILE as written, with defaults filled in. */
export interface RoutesFileJson {
  providers: Record<string, ProviderJson>;
  models: Record<string, RouteJson[]>;
  order: RoutesFile['order'];
  groups: RoutesFile['groups'];
}

const text = Joi.string().max(200);

/** An origin (scheme, host and port) or a base URL. Plain http only with `allowPrivateNetwork`. */
const url = (rule: 'origin' | 'base') =>
  text.custom((value: string, helpers) => {
    const parsed = URL.parse(value);
    const above = helpers.state.ancestors as readonly unknown[];
    const isPrivate = above
      .map(fieldsOf)
      .some((each) => 'kind' in each && each['allowPrivateNetwork'] === true);
    const schemes = isPrivate ? ['https:', 'http:'] : ['https:'];
    if (!parsed || !schemes.includes(parsed.protocol) || parsed.username || parsed.search) {
      return helpers.error('url.scheme');
    }
    if (rule === 'origin' && parsed.pathname !== '/') return helpers.error('url.origin');
    return withoutEndSlashes(value);
  });

/** Origins in their usual form. */
const originMap = (origins: Record<string, string>) =>
  new Map(Object.entries(origins).map(([from, to]) => [new URL(from).origin, new URL(to).origin]));

/** `host`, `*.suffix` with at least two labels, or either with a port. */
const mediaHost = text.pattern(
  /^(\*\.[a-z0-9-]+(\.[a-z0-9-]+)+|[a-z0-9-]+(\.[a-z0-9-]+)*|\[[0-9a-f:.]+\])(:\d{1,5})?$/i,
  'a host, *.suffix with at least two labels, or host:port',
);

const errorRules = Joi.array()
  .items(Joi.object({ match: text.min(3).required(), code: oneOf(ruleCodes) }))
  .default([]);

const maxConcurrent = Joi.number().integer().min(1).max(100_000);
const settlement = Joi.string().valid('refund', 'deliver');
const common = {
  maxConcurrent,
  errorRules,
  budget: budgetSchema.default(null),
  delivery: Joi.alternatives()
    .conditional(Joi.object(), {
      then: fields(Object.fromEntries(settledAspects.map((aspect) => [aspect, settlement]))),
      otherwise: settlement,
    })
    .default('refund'),
};

const allowPrivateNetwork = Joi.boolean().default(false);

const polls = fields({
  everySeconds: Joi.number().integer().min(1).max(300).default(null),
  perMinute: Joi.number().integer().min(1).max(100_000).default(null),
}).default({ everySeconds: null, perMinute: null });

const http = {
  ...common,
  maxConcurrent: maxConcurrent.default(20),
  ...keysSchema(true),
  rewriteOrigins: Joi.object()
    .pattern(url('origin'), url('origin'))
    .messages({ 'object.unknown': 'must be an origin, such as https://api.example' })
    .custom(originMap)
    .default(new Map()),
  mediaHosts: Joi.array().items(mediaHost).default([]),
  allowPrivateNetwork,
  polls,
};

const flags = Joi.array().items(Joi.object(flagFields)).max(50).default([]);

/** Schema of a provider. */
export const providerSchema = Joi.object({
  kind: oneOf(['preview-renderer', 'ai-sdk', 'http', 'model-ark', 'comfyui']),
})
  .unknown(true)
  .when('.kind', {
    switch: [
      {
        is: 'preview-renderer',
        then: kind({ ...common, maxConcurrent: maxConcurrent.default(4) }),
      },
      {
        is: 'ai-sdk',
        then: kind({
          ...http,
          // A registry package, never a path.
          package: text
            .pattern(
              /^(@[a-z0-9-][a-z0-9._-]*\/)?[a-z0-9-][a-z0-9._-]*$/,
              'the name of an npm package',
            )
            .required(),
          factory: text.pattern(/^[A-Za-z_$][\w$]*$/, 'the name of an export').required(),
          options: Joi.object().default({}),
          flags,
          calls: describedCallsSchema.default({}),
        }),
      },
      {
        is: 'http',
        then: kind({
          ...http,
          // Some servers of an operator need no key.
          ...keysSchema(false),
          like: Joi.string(),
          // Checked with the shipped description that it completes.
          api: Joi.object(),
          baseURL: url('base'),
          flags,
        }),
      },
      { is: 'model-ark', then: kind({ ...http, baseURL: url('base').required() }) },
      {
        is: 'comfyui',
        then: kind({
          ...common,
          // ComfyUI runs one order at a time; others wait here, where they can still go elsewhere.
          maxConcurrent: maxConcurrent.default(1),
          ...keysSchema(false),
          allowPrivateNetwork,
          polls,
          ...comfyFields(url('base')),
        }),
      },
    ],
  });

function kind(own: Joi.SchemaMap): Joi.ObjectSchema {
  return fields({ kind: Joi.string(), ...own }).unknown(false);
}

const region = Joi.string().pattern(/^[a-z0-9][a-z0-9_-]{0,39}$/, 'a name in lower case');
// As MODELS_FILE writes them.
const group = region;

/** Schema of a route. */
export const routeSchema = fields({
  provider: text.required(),
  model: text.required(),
  options: Joi.object().default({}),
  realPersonOptions: Joi.object().default({}),
  does: doesSchema,
  send: sendSchema.default({}),
  region: region.default(null),
  groups: Joi.array().items(group).min(1).unique().default(null),
  weight: Joi.number().integer().min(1).max(1_000).default(null),
  safeToRepeat: Joi.boolean().default(null),
  cost: costSchema.default(null),
  maxConcurrent,
  startsPerMinute: Joi.number().integer().min(1).max(100_000),
});

/** Schema of ROUTES_FILE. */
const routesFileSchema: Joi.ObjectSchema<RoutesFileJson> = withReadableMessages(
  fields<RoutesFileJson>({
    providers: Joi.object()
      .pattern(/^[A-Za-z0-9_.-]{1,64}$/, providerSchema)
      .required(),
    models: Joi.object().pattern(Joi.string(), Joi.array().items(routeSchema)).min(1).required(),
    order: Joi.object()
      .pattern(Joi.string(), Joi.string().valid('listed', 'cost', 'fastest'))
      .default({}),
    groups: Joi.object()
      .pattern(group, fields({ regions: Joi.array().items(region).min(1).required() }))
      .default({}),
  })
    .required()
    .messages({
      'url.scheme': 'must be an https URL (or http, with allowPrivateNetwork: true)',
      'url.origin': 'must be an origin, such as https://api.example, without a path',
    }),
);

/** Validates the file. @returns The whole value, its valid part, and the problems of the rest. */
export function checkShape(json: unknown): {
  value: RoutesFileJson;
  sound: RoutesFileJson;
  problems: string[];
} {
  const checked = routesFileSchema.validate(json, { convert: false, abortEarly: false });
  const errors = checked.error?.details ?? [];
  const filled = checked.value as RoutesFileJson | undefined;
  const empty: RoutesFileJson = { providers: {}, models: {}, order: {}, groups: {} };
  const value = errors.some(({ path }) => path.length < 2) ? empty : (filled ?? empty);
  const isValid = (part: string, name: string) =>
    !errors.some(({ path }) => path[0] === part && path[1] === name);
  const sound = Object.entries<Record<string, unknown>>({ ...value }).map(([part, entries]) => [
    part,
    Object.fromEntries(Object.entries(entries).filter(([name]) => isValid(part, name))),
  ]);
  return {
    value,
    sound: Object.fromEntries(sound) as RoutesFileJson,
    problems: describeProblems(checked.error),
  };
}
