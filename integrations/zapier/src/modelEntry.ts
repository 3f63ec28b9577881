import type { ModelEntry } from './generated/contract.ts';
import { asObject, isTexts } from './json.ts';

/** Whether an entry of GET /models has everything that this app reads. */
export function isModelEntry(entry: unknown): entry is ModelEntry {
  const { id, type, display_name, capabilities, pricing } = asObject(entry) ?? {};
  return (
    isTexts([id, display_name]) &&
    (type === 'video' || type === 'image') &&
    hasCapabilities(asObject(capabilities)) &&
    hasPrices(asObject(pricing))
  );
}

const lists = ['modes', 'resolutions', 'aspect_ratios', 'real_person_modes', 'output_formats'];
const ranges = ['duration_seconds', 'n'];

function hasCapabilities(capabilities: Record<string, unknown> | null): boolean {
  if (capabilities === null) return false;
  const inputs = asObject(capabilities['inputs']);
  return (
    typeof capabilities['max_prompt_length'] === 'number' &&
    lists.every((key) => isTexts(capabilities[key])) &&
    ranges.every((key) => capabilities[key] === null || isRange(asObject(capabilities[key]))) &&
    ['image', 'video', 'audio'].every((kind) => isNumber(asObject(inputs?.[kind])?.['max_count']))
  );
}

function hasPrices(pricing: Record<string, unknown> | null): boolean {
  const { per, credits, examples } = pricing ?? {};
  const audio = asObject(pricing?.['audio']);
  const isFactor = isNumber(audio?.['numerator']) && isNumber(audio?.['denominator']);
  return (
    (per === 'image' || (per === 'second' && isFactor)) &&
    Object.values(asObject(credits) ?? { none: null }).every(isNumber) &&
    Array.isArray(examples) &&
    examples.every((each) => asObject(asObject(each)?.['parameters']) !== null)
  );
}

function isRange(range: Record<string, unknown> | null): boolean {
  return isNumber(range?.['min']) && isNumber(range?.['max']);
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}
