import {
  type Capabilities,
  dayMs,
  didYouMean,
  type Fraction,
  inputTypes,
  type Model,
  type ModelEntry,
} from '@framegate/contract';
import type { Report } from '../installation/fileProblems.ts';
import { narrow, type PartsOf, withCapabilities } from '../providers/capabilities.ts';
import { widestModel } from './widestModel.ts';

/** An entry of MODELS_FILE: fields of GET /models; missing ones keep their values. */
export type ModelEntryJson = Partial<
  Pick<ModelEntry, 'id' | 'type' | 'display_name' | 'typical_seconds'>
> & {
  capabilities?: PartsOf<Capabilities>;
  pricing?: { per?: string; credits?: Record<string, number>; audio?: Fraction };
  deprecated_at?: string | null;
  sunset_at?: string | null;
};

/** Minimum time between the notice and the removal of a model, in ms: 90 days. */
const noticeMs = 90 * dayMs;

/**
 * Applies an entry to its built-in model, or makes a new model from it.
 * @param base The built-in model; null for a new id.
 * @param report Called for each problem, with its path within the entry.
 * @returns The model, which is valid only if nothing was reported.
 */
export function applyEntry(
  id: string,
  base: Model | null,
  entry: ModelEntryJson,
  report: Report,
): Model {
  const bounds = base ?? widestModel(id, entry.type ?? 'video');
  requireSame(entry, bounds, report);
  if (base === null) requireAll(entry, report);
  const capabilities = narrow(bounds, base === null, entry.capabilities ?? {}, report);
  const model = withCapabilities(bounds, capabilities);
  const dates = datesOf(entry, model, report);
  const texts = {
    displayName: entry.display_name ?? model.displayName,
    typicalSeconds: entry.typical_seconds ?? model.typicalSeconds,
    ...dates,
  };
  return withPricing({ ...model, ...texts }, base, entry, report);
}

/** `id`, `type` and `pricing.per` are informational and cannot be changed. */
function requireSame(entry: ModelEntryJson, { id, type }: Model, report: Report): void {
  const same = [
    [['id'], entry.id, id],
    [['type'], entry.type, type],
    [['pricing', 'per'], entry.pricing?.per, type === 'video' ? 'second' : 'image'],
  ] as const;
  for (const [path, stated, required] of same) {
    if (stated !== undefined && stated !== required) report(path, `must be "${required}"`);
  }
}

const requiredNames = {
  video: ['modes', 'duration_seconds', 'resolutions', 'aspect_ratios', 'generate_audio'],
  image: ['resolutions', 'aspect_ratios', 'n', 'output_formats'],
} as const;

/**
 * A new model states everything that customers read about it; nothing is assumed, except that real-person mode is off
 * if absent.
 */
function requireAll(entry: ModelEntryJson, report: Report): void {
  const { type = 'video', capabilities = {}, pricing = {} } = entry;
  for (const name of [
    'type',
    'display_name',
    'typical_seconds',
    'capabilities',
    'pricing',
  ] as const) {
    if (entry[name] === undefined) report([name], 'is required for a new model');
  }
  if (entry.capabilities) {
    for (const name of [...requiredNames[type], 'max_prompt_length', 'inputs'] as const) {
      if (capabilities[name] === undefined) {
        report(['capabilities', name], 'is required for a new model');
      }
    }
    for (const input of inputTypes) {
      if (capabilities.inputs && capabilities.inputs[input]?.max_count === undefined) {
        report(['capabilities', 'inputs', input, 'max_count'], 'is required for a new model');
      }
    }
  }
  if (entry.pricing && type === 'video' && capabilities.generate_audio === true && !pricing.audio) {
    report(['pricing', 'audio'], 'is required for a new model with sound');
  }
}

function datesOf(entry: ModelEntryJson, model: Model, report: Report) {
  const parseDate = (name: 'deprecated_at' | 'sunset_at', before: string | null): string | null => {
    const value = entry[name];
    if (value === undefined || value === null) return value === undefined ? before : null;
    return new Date(value).toISOString();
  };
  const deprecatedAt = parseDate('deprecated_at', model.deprecatedAt);
  const sunsetAt = parseDate('sunset_at', model.sunsetAt);
  const announced = deprecatedAt === null ? null : Date.parse(deprecatedAt);
  if (sunsetAt !== null && (announced === null || Date.parse(sunsetAt) < announced + noticeMs)) {
    report(['sunset_at'], 'needs a deprecated_at at least 90 days before it');
  }
  return { deprecatedAt, sunsetAt };
}

/** The model with the entry's prices, one for each resolution that it offers. */
function withPricing(
  model: Model,
  base: Model | null,
  { pricing = {} }: ModelEntryJson,
  report: Report,
): Model {
  const { credits = {}, audio } = pricing;
  checkCredits(model, credits, (path, sentence) => {
    report(['pricing', 'credits', ...path], sentence);
  });
  const before: Readonly<Record<string, number>> =
    base === null ? {} : base.type === 'video' ? base.creditsPerSecond : base.creditsPerImage;
  const prices: Record<string, number> = {};
  for (const resolution of model.resolutions) {
    const price = credits[resolution] ?? before[resolution];
    if (price !== undefined) prices[resolution] = price;
    else if (base === null) report(['pricing', 'credits'], `lacks the price of ${resolution}`);
  }
  if (model.type === 'image') {
    if (audio) report(['pricing', 'audio'], `is not allowed: ${model.id} makes images`);
    return { ...model, creditsPerImage: prices };
  }
  return { ...model, creditsPerSecond: prices, audioFactor: audio ?? model.audioFactor };
}

/** Reports prices of resolutions that a model does not offer. */
export function checkCredits(
  { id, resolutions }: Model,
  credits: Readonly<Record<string, number>>,
  report: Report,
): void {
  const offered: readonly string[] = resolutions;
  for (const resolution of Object.keys(credits)) {
    if (offered.includes(resolution)) continue;
    const sentence = `is not a resolution of ${id}; it has ${offered.join(', ')}`;
    report([resolution], sentence + didYouMean(resolution, offered));
  }
}
