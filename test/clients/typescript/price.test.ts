import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { catalogue, presentModel, priceCredits, pricingOf } from '@framegate/contract';
import { createImageSchema, createVideoSchema, validateBody } from '@framegate/contract/schemas';
import {
  resolveImageRequest,
  resolveVideoRequest,
} from '../../../gateway/src/domain/generations/requestRules.ts';
import { type Model, price, UsageError } from '../../../integrations/typescript/src/index.ts';

/** The gateway's price for these parameters, or null if it refuses them. */
function billOf(model: (typeof catalogue)[number], given: object): number | null {
  // As received: over JSON.
  const parameters = JSON.parse(JSON.stringify(given)) as object;
  try {
    const body = { model: model.id, prompt: 'a kite', parameters };
    if (model.type === 'video') {
      const checked = validateBody(createVideoSchema, { ...body, mode: model.modes[0] });
      if (!checked.ok) return null;
      return priceCredits(pricingOf(model), resolveVideoRequest(model, checked.value).parameters);
    }
    const checked = validateBody(createImageSchema, body);
    if (!checked.ok) return null;
    return priceCredits(pricingOf(model), resolveImageRequest(model, checked.value).parameters);
  } catch {
    return null;
  }
}

/** The client's price, or null if it refuses them. */
function priceOf(model: (typeof catalogue)[number], parameters: object): number | null {
  try {
    return price(JSON.parse(JSON.stringify(presentModel(model))) as Model, parameters);
  } catch (error) {
    if (error instanceof UsageError) return null;
    throw error;
  }
}

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const resolution = maybe(
  fc.constantFrom('480p', '720p', '1080p', '2160p', '1k', '2k', '4k', 'toString'),
);
const video = fc.record(
  {
    duration_seconds: maybe(fc.oneof(fc.integer({ min: 3, max: 15 }), fc.integer(), fc.double())),
    resolution,
    generate_audio: maybe(fc.boolean()),
  },
  { requiredKeys: [] },
);
const image = fc.record(
  { n: maybe(fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer(), fc.double())), resolution },
  { requiredKeys: [] },
);

describe('the computed price is the one that the gateway bills, or both refuse', () => {
  test.each(catalogue.map((model) => [model.id, model] as const))('%s', (_, model) => {
    expect(priceOf(model, {})).toBeGreaterThan(0);
    const parameters: fc.Arbitrary<object> = model.type === 'video' ? video : image;
    fc.assert(
      fc.property(parameters, (given) => {
        expect(priceOf(model, given)).toBe(billOf(model, given));
      }),
    );
  });
});
