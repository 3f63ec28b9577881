import { parametersOf } from '@framegate/contract';
import type {
  ChoiceRow,
  FlagRow,
  imageParameters,
  Parameter,
  videoParameters,
} from '@framegate/contract';
import type { Route } from './route.ts';

type Row =
  | (typeof videoParameters)[keyof typeof videoParameters]
  | (typeof imageParameters)[keyof typeof imageParameters];
type DeclaredRow = Extract<Row, { support: object }>;

/**
 * Values made of one parameter. A flag: `true` as requested, `false` never, `always` cannot be left out. Of others
 * `null` means everything that the catalogue offers.
 */
type LimitOf<R extends Parameter> = R extends FlagRow
  ? boolean | (R['support'] extends { mayForce: true } ? 'always' : never)
  : R extends ChoiceRow
    ? readonly string[] | null
    : Readonly<{ min: number; max: number }> | readonly number[] | null;

/** Values made of each parameter in the table that a provider may lack, by its name in `supports`. */
export type ParameterLimits = {
  [R in DeclaredRow as R['support']['name']]: LimitOf<R>;
};

/** Limits that may differ by mode and resolution. */
type CombinedLimits = {
  [R in Exclude<DeclaredRow, { apart: true }> as R['support']['name']]: LimitOf<R>;
};

/** Support of a route. */
export interface RouteSupport extends ParameterLimits {
  /** `null` means every mode that the catalogue offers. */
  modes: readonly string[] | null;
  /** Whether it takes a last frame besides the first. */
  lastFrame: boolean;
  /** Maximum reference files by type; for images the only inputs. */
  references: Readonly<Record<'image' | 'video' | 'audio', number>>;
  /** Further limits on some requests; all that match a request apply. */
  combinations: readonly Combination[];
}

/** A limit on requests of some modes or resolutions, beside the general ones. */
export interface Combination {
  /** The requests concerned: those matching each list given here. */
  when: { readonly modes?: readonly string[]; readonly resolutions?: readonly string[] };
  only: Partial<CombinedLimits>;
}

/** `supports` of a route, or of a table's row: the differences from the minimum or from the table. */
export interface SupportsJson extends Partial<ParameterLimits> {
  lastFrame?: boolean;
  references?: { image?: number; video?: number; audio?: number };
  modes?: readonly string[];
  combinations?: readonly Combination[];
}

/** Every parameter of both types. */
const rows: readonly Parameter[] = Object.values(parametersOf).flatMap((table) =>
  Object.values(table),
);

/** Values that providers make without a declaration. */
const undeclared = Object.fromEntries(
  rows.flatMap(({ support }) => (support === null ? [] : [[support.name, support.undeclared]])),
) as unknown as ParameterLimits;

/** Minimum support, unless more is known: text to video or image, silent. */
export const leastSupport: RouteSupport = {
  ...undeclared,
  modes: null,
  lastFrame: false,
  references: { image: 0, video: 0, audio: 0 },
  combinations: [],
};

/** A provider's tested defaults, overridden by the operator's declaration. */
export function mergeSupport(defaults: RouteSupport, declared: SupportsJson): RouteSupport {
  const { references, ...rest } = declared;
  return { ...defaults, ...rest, references: { ...defaults.references, ...references } };
}

/** The parts of a request that decide which routes cover it. */
export type CoveredRequest = Parameters<Route['covers']>[0];

/**
 * Whether a route covers a whole request: nothing would be dropped, changed or added. What the route does not
 * declare of a parameter, by the parameter's row in the table, is not covered.
 */
export function covers(support: RouteSupport, request: CoveredRequest): boolean {
  const { mode, inputs } = request;
  if (mode !== null && !isOneOf(support.modes, mode)) return false;
  if (!coversInputs(support, inputs) || !coversParameters(support, request)) return false;
  return support.combinations.every(
    (each) => !isAbout(each, request) || coversParameters(each.only, request),
  );
}

function isAbout({ when }: Combination, { mode, parameters }: CoveredRequest): boolean {
  return isOneOf(when.modes, mode ?? '') && isOneOf(when.resolutions, parameters.resolution);
}

function coversParameters(
  limits: Partial<ParameterLimits>,
  { type, parameters }: Pick<CoveredRequest, 'type' | 'parameters'>,
): boolean {
  const values = parameters as Readonly<Record<string, unknown>>;
  return Object.entries(parametersOf[type]).every(([name, { support }]) => {
    const limit = support === null ? null : limits[support.name as keyof ParameterLimits];
    return allows(limit ?? null, values[name]);
  });
}

/** @param value Undefined for a parameter that is newer than the request. */
function allows(limit: ParameterLimits[keyof ParameterLimits], value: unknown): boolean {
  if (limit === null || value === undefined) return true;
  if (limit === 'always') return value === true;
  if (typeof limit === 'boolean') return limit || value !== true;
  if (!('min' in limit)) return limit.some((each) => each === value);
  return typeof value === 'number' && value >= limit.min && value <= limit.max;
}

function isOneOf(list: readonly string[] | null | undefined, value: string): boolean {
  return list?.includes(value) ?? true;
}

function coversInputs(support: RouteSupport, inputs: CoveredRequest['inputs']): boolean {
  if (!support.lastFrame && inputs.some(({ role }) => role === 'last_frame')) return false;
  const references = inputs.filter(({ role }) => role === 'reference');
  return (['image', 'video', 'audio'] as const).every(
    (type) => references.filter((each) => each.type === type).length <= support.references[type],
  );
}

/** Sizes as `<width>x<height>`, by our resolution and aspect ratio. */
export type SizeTable = Readonly<Record<string, Readonly<Record<string, `${number}x${number}`>>>>;

/** Support of some models of a provider, by its documentation. */
export interface SupportRow {
  type: 'video' | 'image';
  /** Whole model ids of the provider; `*` stands for any text. */
  models: readonly string[];
  /** Support beyond the minimum, in the form of a route's `supports`. */
  does: SupportsJson;
  /** The source document. */
  source: string;
  /** The day of reading the document, as YYYY-MM-DD. */
  readOn: string;
  /** The sizes that it delivers, where they are not our own or the document lists them. */
  sizes?: SizeTable;
  /** Whether a video keeps the ratio of its first frame, whatever ratio is ordered. */
  keepsPictureRatio?: true;
  /** Set for models that the provider has shut down or announced to. */
  retired?: Retirement;
}

/** The shutdown of a model, and its replacement. */
export interface Retirement {
  /** YYYY-MM-DD. */
  on: string;
  /** A live model; null if the provider's package reaches none that is known. */
  replacement: string | null;
}

/** The rows of one provider kind; the first match of a model counts. */
export type SupportTable = readonly SupportRow[];

/** The row of a model, or undefined. */
export function rowOf(
  table: SupportTable,
  type: SupportRow['type'],
  model: string,
): SupportRow | undefined {
  return table.find(
    (row) => row.type === type && row.models.some((pattern) => fits(pattern, model)),
  );
}

/** Known support of a model; the minimum without a row. */
export function supportOf(
  table: SupportTable,
  type: SupportRow['type'],
  model: string,
): RouteSupport {
  return mergeSupport(leastSupport, rowOf(table, type, model)?.does ?? {});
}

/** Escapes a text as a pattern that matches exactly it. (RegExp.escape is not in Node 22.) */
export function literalPattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function fits(pattern: string, model: string): boolean {
  const parts = pattern.split('*').map(literalPattern);
  return new RegExp(`^${parts.join('.*')}$`).test(model);
}
