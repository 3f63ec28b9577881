import type { Route } from '../../application/ports/providers.ts';
import type { SupportsJson } from './routesFileSchema.ts';

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
};

/** The tested defaults of a provider, with what the operator declares otherwise. */
export function mergeSupport(defaults: RouteSupport, declared: SupportsJson): RouteSupport {
  const { references, ...rest } = declared;
  return { ...defaults, ...rest, references: { ...defaults.references, ...references } };
}

/**
 * Whether a route covers a whole request: nothing of it would be dropped, changed
 * or added.
 */
export function covers(support: RouteSupport, request: Parameters<Route['covers']>[0]): boolean {
  const { parameters } = request;
  const isOneOf = (list: readonly string[] | null, value: string) => list?.includes(value) ?? true;
  if (!isOneOf(support.resolutions, parameters.resolution)) return false;
  if (!isOneOf(support.aspectRatios, parameters.aspect_ratio)) return false;
  if (request.mode !== null && !isOneOf(support.modes, request.mode)) return false;
  if (!coversInputs(support, request.inputs)) return false;
  if (!('duration_seconds' in parameters)) return true;
  return (
    coversSeconds(support.seconds, parameters.duration_seconds) &&
    (parameters.generate_audio ? support.audio !== false : support.audio !== 'always')
  );
}

function coversInputs(
  support: RouteSupport,
  inputs: Parameters<Route['covers']>[0]['inputs'],
): boolean {
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
