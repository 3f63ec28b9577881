import type { Route } from '../../application/ports/providers.ts';
import { literalPattern } from '../../domain/text.ts';

/** Support of a route. `null` means everything that the catalogue offers. */
export interface RouteSupport {
  modes: readonly string[] | null;
  /** Whether it takes a last frame besides the first. */
  lastFrame: boolean;
  /** `true`: with or without sound, as requested; `always`: sound cannot be omitted. */
  audio: boolean | 'always';
  /** Maximum reference files by type; for images the only inputs. */
  references: Readonly<Record<'image' | 'video' | 'audio', number>>;
  resolutions: readonly string[] | null;
  aspectRatios: readonly string[] | null;
  /** Whole seconds of a video. */
  seconds: Readonly<{ min: number; max: number }> | readonly number[] | null;
  /** Whether it takes pictures and videos of real people in real-person mode. */
  realPerson: boolean;
  /** Further limits on some requests; all that match a request apply. */
  combinations: readonly Combination[];
}

/** A limit on requests of some modes or resolutions, beside the general ones. */
export interface Combination {
  /** The requests concerned: those matching each list given here. */
  when: { readonly modes?: readonly string[]; readonly resolutions?: readonly string[] };
  only: Partial<Pick<RouteSupport, 'resolutions' | 'aspectRatios' | 'seconds' | 'audio'>>;
}

/** `supports` of a route, or of a table's row: the differences from the minimum or from the table. */
export interface SupportsJson {
  lastFrame?: boolean;
  /** `true`: with or without sound, as requested; `"always"`: sound cannot be omitted. */
  audio?: boolean | 'always';
  references?: { image?: number; video?: number; audio?: number };
  modes?: readonly string[];
  resolutions?: readonly string[];
  aspectRatios?: readonly string[];
  /** Whole seconds of a video: bounds, or a list. */
  seconds?: { min: number; max: number } | readonly number[];
  realPerson?: boolean;
  combinations?: readonly Combination[];
}

/** Minimum support, unless more is known: text to video or image, silent. */
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

/** A provider's tested defaults, overridden by the operator's declaration. */
export function mergeSupport(defaults: RouteSupport, declared: SupportsJson): RouteSupport {
  const { references, ...rest } = declared;
  return { ...defaults, ...rest, references: { ...defaults.references, ...references } };
}

/** The parts of a request that decide which routes cover it. */
export type CoveredRequest = Parameters<Route['covers']>[0];

/** Whether a route covers a whole request: nothing would be dropped, changed or added. */
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

function fits(pattern: string, model: string): boolean {
  const parts = pattern.split('*').map(literalPattern);
  return new RegExp(`^${parts.join('.*')}$`).test(model);
}
