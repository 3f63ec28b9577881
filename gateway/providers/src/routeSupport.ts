import {
  type ExtraRow,
  type imageParameters,
  type Parameter,
  parameterTables,
  type videoParameters,
} from '@framegate/contract';
import type { Route } from './route.ts';

type SupportRow =
  | (typeof videoParameters)[keyof typeof videoParameters]
  | (typeof imageParameters)[keyof typeof imageParameters];
type DeclaredRow = Extract<SupportRow, { support: object }>;

/**
 * Values made of one parameter. For a flag or text: `true` as requested, `false` never; `always`: a flag that cannot be
 * omitted; a number: a text of at most this number of characters. For others, `null` means everything in the catalogue.
 */
interface LimitsByKind<R extends Parameter> {
  integer: Readonly<{ min: number; max: number }> | readonly number[] | null;
  fraction: LimitsByKind<R>['integer'];
  choice: readonly string[] | null;
  flag: boolean | (R['support'] extends { mayForce: true } ? 'always' : never);
  text: boolean | number;
}

/** Values made of each parameter in the table that a provider may lack, by its name in `does`. */
export type ParameterLimits = {
  [R in DeclaredRow as R['support']['name']]: LimitsByKind<R>[R['kind']];
};

/** Names in `does` of the fractions and texts; those of their promises in `send`. */
export type ExtraLimit = ExtraRow['support']['name'];

/** Limits that may differ by mode and resolution. */
type CombinedLimits = Omit<
  ParameterLimits,
  Extract<DeclaredRow, { apart: true }>['support']['name']
>;

/** Support of a route. */
export interface RouteSupport extends ParameterLimits {
  /** `null` means every mode in the catalogue. */
  modes: readonly string[] | null;
  /** Whether it supports a last frame in addition to the first. */
  lastFrame: boolean;
  /** Maximum reference files by type; images have no other inputs. */
  references: Readonly<Record<'image' | 'video' | 'audio', number>>;
  /** Further limits on some requests; all that match a request apply. */
  combinations: readonly Combination[];
  /** Inputs without which it makes nothing. */
  requires: readonly RequiredInput[];
}

/** An input that some models need in every request. */
export type RequiredInput = 'lastFrame' | 'references';

/** A limit on requests of some modes or resolutions, in addition to the general ones. */
export interface Combination {
  /** The requests concerned: those matching each list given here. */
  when: { readonly modes?: readonly string[]; readonly resolutions?: readonly string[] };
  only: Partial<CombinedLimits>;
}

/** `does` of a row, or of a route in ROUTES_FILE. */
export interface Abilities extends Partial<ParameterLimits> {
  lastFrame?: boolean;
  references?: { image?: number; video?: number; audio?: number };
  modes?: readonly string[];
  combinations?: readonly Combination[];
  requires?: readonly RequiredInput[];
}

/** Every parameter of both types. */
const rows: readonly Parameter[] = Object.values(parameterTables).flatMap((table) =>
  Object.values(table),
);

/** Values of a provider that states none: no parameter with many values, no optional flag, no text. */
const unstated = Object.fromEntries(
  rows.flatMap(({ support }) =>
    support === null
      ? []
      : [[support.name, typeof support.undeclared === 'boolean' ? support.undeclared : []]],
  ),
) as unknown as ParameterLimits;

/** The support of a model about which nothing is stated. */
export const noSupport: RouteSupport = {
  ...unstated,
  modes: [],
  lastFrame: false,
  references: { image: 0, video: 0, audio: 0 },
  combinations: [],
  requires: [],
};

/** A support with fields replaced by those of a statement. */
export function mergeSupport(defaults: RouteSupport, declared: Abilities): RouteSupport {
  const { references, ...rest } = declared;
  return { ...defaults, ...rest, references: { ...defaults.references, ...references } };
}

/** The parts of a request that decide which routes cover it. */
export type CoveredRequest = Parameters<Route['covers']>[0];

/**
 * Whether a route covers a whole request: nothing would be dropped, changed or added. A value outside the route's
 * declared support for a parameter, by the parameter's row in the table, is not covered.
 */
export function covers(support: RouteSupport, request: CoveredRequest): boolean {
  return coversWork(support, request) && coversValues(support, request);
}

/** The part of `covers` about the mode and the inputs. */
export function coversWork(
  support: RouteSupport,
  { mode, inputs }: Pick<CoveredRequest, 'mode' | 'inputs'>,
): boolean {
  return (mode === null || isOneOf(support.modes, mode)) && coversInputs(support, inputs);
}

/** The part of `covers` about the values of parameters. */
export function coversValues(support: RouteSupport, request: CoveredValues): boolean {
  if (!coversParameters(support, request)) return false;
  return support.combinations.every(
    (each) => !isAbout(each, request) || coversParameters(each.only, request),
  );
}

type CoveredValues = Pick<CoveredRequest, 'type' | 'mode' | 'parameters'>;

function isAbout({ when }: Combination, { mode, parameters }: CoveredValues): boolean {
  return isOneOf(when.modes, mode ?? '') && isOneOf(when.resolutions, parameters.resolution);
}

/**
 * Capabilities that a provider may lack, by type, with their names in `does`: a startup asks about thousands
 * of requests.
 */
const limitedParameters = {
  video: limitedIn(parameterTables.video),
  image: limitedIn(parameterTables.image),
};

function limitedIn(table: Readonly<Record<string, Parameter>>) {
  return Object.entries(table).flatMap(([name, { support }]) =>
    support === null ? [] : [{ name, limit: support.name as keyof ParameterLimits }],
  );
}

function coversParameters(
  limits: Partial<ParameterLimits>,
  { type, parameters }: Pick<CoveredRequest, 'type' | 'parameters'>,
): boolean {
  const values = parameters as object as Readonly<Record<string, unknown>>;
  return limitedParameters[type].every(({ name, limit }) =>
    allows(limits[limit] ?? null, values[name]),
  );
}

/** @param value Undefined for a parameter newer than the request. */
function allows(limit: ParameterLimits[keyof ParameterLimits], value: unknown): boolean {
  if (limit === null || value === undefined) return true;
  if (limit === 'always') return value === true;
  if (typeof limit === 'boolean') return limit || value === false;
  if (typeof limit === 'number') return typeof value === 'string' && [...value].length <= limit;
  if (!('min' in limit)) return limit.some((each) => each === value);
  return typeof value === 'number' && value >= limit.min && value <= limit.max;
}

function isOneOf(list: readonly string[] | null | undefined, value: string): boolean {
  return list?.includes(value) ?? true;
}

function coversInputs(support: RouteSupport, inputs: CoveredRequest['inputs']): boolean {
  const { lastFrame, requires } = support;
  const hasLast = inputs.some(({ role }) => role === 'last_frame');
  const references = inputs.filter(({ role }) => role === 'reference');
  if (hasLast ? !lastFrame : requires.includes('lastFrame')) return false;
  if (references.length === 0 && requires.includes('references')) return false;
  return (['image', 'video', 'audio'] as const).every(
    (type) => references.filter((each) => each.type === type).length <= support.references[type],
  );
}
