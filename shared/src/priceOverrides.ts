import { isJsonObject } from './json.ts';
import type { Model } from './model.ts';

/** Maximum price of one second or image, in credits; keeps all products within safe integers. */
export const maxPriceCredits = 1_000_000;

/**
 * Applies the operator's prices (PRICES_FILE) to the catalogue.
 * @param overrides `{ "<model>": { "<resolution>": credits } }`, parsed from JSON. Other prices do not change.
 * @throws Error listing every problem: an unknown model, a resolution that the model does not offer, or a price
 *   that is not a whole number from 1 to 1,000,000 credits.
 */
export function withPrices(models: readonly Model[], overrides: unknown): readonly Model[] {
  const problems: string[] = [];
  const prices = new Map<string, Record<string, number>>();
  for (const [id, entry] of entriesOf(overrides, 'prices', problems)) {
    const model = models.find((candidate) => candidate.id === id);
    if (model === undefined) problems.push(`unknown model ${id}`);
    else prices.set(id, checkedPrices(model, entry, problems));
  }
  if (problems.length > 0) throw new Error(`wrong prices: ${problems.join('; ')}`);
  return models.map((model) => repriced(model, prices.get(model.id)));
}

function checkedPrices(model: Model, entry: unknown, problems: string[]): Record<string, number> {
  const offered: readonly string[] = model.resolutions;
  const checked: Record<string, number> = {};
  for (const [resolution, credits] of entriesOf(entry, model.id, problems)) {
    if (!offered.includes(resolution)) {
      problems.push(`${model.id} has no resolution ${resolution} (it has ${offered.join(', ')})`);
    } else if (!isPrice(credits)) {
      problems.push(
        `${model.id} ${resolution} must be a whole number from 1 to ${maxPriceCredits}`,
      );
    } else {
      checked[resolution] = credits;
    }
  }
  return checked;
}

function repriced(model: Model, prices: Record<string, number> | undefined): Model {
  if (prices === undefined) return model;
  return model.type === 'video'
    ? { ...model, creditsPerSecond: { ...model.creditsPerSecond, ...prices } }
    : { ...model, creditsPerImage: { ...model.creditsPerImage, ...prices } };
}

function entriesOf(value: unknown, name: string, problems: string[]): [string, unknown][] {
  if (isJsonObject(value)) return Object.entries(value);
  problems.push(`${name} must be an object`);
  return [];
}

function isPrice(value: unknown): value is number {
  return (
    typeof value === 'number' &&
    Number.isSafeInteger(value) &&
    value >= 1 &&
    value <= maxPriceCredits
  );
}
