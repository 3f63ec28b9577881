import type { Route } from '../../application/ports/providers.ts';
import { literalPattern } from '../../domain/text.ts';

/** What a route supports. `null` stands for everything that the catalogue offers. */
export interface RouteSupport {
  modes: readonly string[] | null;
  /** Whether a last frame can be given beside the first. */
  lastFrame: boolean;
  /** `true`: with sound or without, as asked; `always`: it cannot be left out. */
  audio: boolean | 'always';
  /** Files that can be given as references; for images the only inputs there are. */
  references: Readonly<Record<'image' | 'video' | 'audio', number>>;
  resolutions: readonly string[] | null;
  aspectRatios: readonly string[] | null;
  /** Whole seconds of a video. */
  seconds: Readonly<{ min: number; max: number }> | readonly number[] | null;
  /** Whether pictures and videos of real people can be given in real-person mode. */
  realPerson: boolean;
  /** What some requests are limited to further; all that are about a request hold. */
  combinations: readonly Combination[];
}

/** A limit on requests of some modes or resolutions, beside those that hold for every request. */
export interface Combination {
  /** The requests that it is about: those with one of each list given here. */
  when: { readonly modes?: readonly string[]; readonly resolutions?: readonly string[] };
  only: Partial<Pick<RouteSupport, 'resolutions' | 'aspectRatios' | 'seconds' | 'audio'>>;
}

/** `supports` of a route, and what a table says of a model: what differs from the least, or from the table. */
export interface SupportsJson {
  lastFrame?: boolean;
  /** `true`: with or without, as asked; `"always"`: cannot be left out. */
  audio?: boolean | 'always';
  references?: { image?: number; video?: number; audio?: number };
  modes?: readonly string[];
  resolutions?: readonly string[];
  aspectRatios?: readonly string[];
  /** Whole seconds of a video: bounds, or the only ones. */
  seconds?: { min: number; max: number } | readonly number[];
  realPerson?: boolean;
  combinations?: readonly Combination[];
}

/** What every route supports unless more is known: text to video or image, silent. */
export const leastSupport: RouteSupport = {
  modes: null,
  lastFrame: false,
  audio: false,
  references: { image: 0, video: 0, audio: 0 },
  resolutions: null,
  aspectRatios: null,
  seconds: null,
  realPerson: true,
  combinations: [],
};

/** The tested defaults of a provider, with what the operator declares otherwise. */
export function mergeSupport(defaults: RouteSupport, declared: SupportsJson): RouteSupport {
  const { references, ...rest } = declared;
  return { ...defaults, ...rest, references: { ...defaults.references, ...references } };
}

/** A request as far as it decides which route covers it. */
export type CoveredRequest = Parameters<Route['covers']>[0];

/**
 * Whether a route covers a whole request: nothing of it would be dropped, changed
 * or added.
 */
export function covers(support: RouteSupport, request: CoveredRequest): boolean {
  const { parameters, mode, inputs } = request;
  if (mode !== null && !isOneOf(support.modes, mode)) return false;
  if ('real_person_mode' in parameters && parameters.real_person_mode && !support.realPerson) {
    return false;
  }
  if (!coversInputs(support, inputs) || !coversParameters(support, parameters)) return false;
  return support.combinations.every(
    (each) => !isAbout(each, request) || coversParameters(each.only, parameters),
  );
}

function isAbout({ when }: Combination, { mode, parameters }: CoveredRequest): boolean {
  return isOneOf(when.modes, mode ?? '') && isOneOf(when.resolutions, parameters.resolution);
}

function coversParameters(
  { resolutions, aspectRatios, seconds, audio }: Combination['only'],
  parameters: CoveredRequest['parameters'],
): boolean {
  if (!isOneOf(resolutions, parameters.resolution)) return false;
  if (!isOneOf(aspectRatios, parameters.aspect_ratio)) return false;
  if (!('duration_seconds' in parameters)) return true;
  if (!coversSeconds(seconds ?? null, parameters.duration_seconds)) return false;
  return parameters.generate_audio ? audio !== false : audio !== 'always';
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

function coversSeconds(allowed: RouteSupport['seconds'], asked: number): boolean {
  if (allowed === null) return true;
  if (!('min' in allowed)) return allowed.includes(asked);
  return asked >= allowed.min && asked <= allowed.max;
}

/** What models of a provider can do, as far as its documents say. */
export interface SupportRow {
  type: 'video' | 'image';
  /** The provider's model ids that it is about, whole; `*` stands for any text. */
  models: readonly string[];
  /** What they do beyond the least, in the form of a route's `supports`. */
  does: SupportsJson;
  /** The document that says so. */
  source: string;
  /** The day on which the document was read, as YYYY-MM-DD. */
  readOn: string;
  /** Set for models that the provider has shut down, or has said that it will. */
  retired?: Retirement;
}

/** When a provider shuts a model down, and what takes its place. */
export interface Retirement {
  /** YYYY-MM-DD. */
  on: string;
  /** A model that is alive; null where none is known that the provider's package reaches. */
  replacement: string | null;
}

/** The rows of one provider kind; of those that fit a model the first counts. */
export type SupportTable = readonly SupportRow[];

/** The row of a model; undefined where the table has none. */
export function rowOf(
  table: SupportTable,
  type: SupportRow['type'],
  model: string,
): SupportRow | undefined {
  return table.find(
    (row) => row.type === type && row.models.some((pattern) => fits(pattern, model)),
  );
}

/** What a model can do as far as it is known; the least where the table has no row for it. */
export function supportOf(
  table: SupportTable,
  type: SupportRow['type'],
  model: string,
): RouteSupport {
  return mergeSupport(leastSupport, rowOf(table, type, model)?.does ?? {});
}

function fits(pattern: string, model: string): boolean {
  const parts = pattern.split('*').map(literalPattern);
  return new RegExp(`^${parts.join('.*')}$`).test(model);
}
