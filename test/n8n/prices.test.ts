import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  catalogue,
  type Model,
  type ModelEntry,
  presentModel,
  priceCredits,
} from '@framegate/contract';
import { offeredModel } from '../../gateway/providers/src/offeredModel.ts';
import { mergeSupport, noSupport } from '../../gateway/providers/src/routeSupport.ts';
import {
  resolveImageRequest,
  resolveVideoRequest,
} from '../../gateway/src/domain/generations/requestRules.ts';
import { statedVideo } from '../support/statedSupport.ts';
import { loadSource, shownOf } from './support/loadSource.ts';

/** The gateway's price of a create request without parameters. */
function usualPrice(model: Model): number {
  const body = { model: model.id, prompt: 'a boat' };
  const { parameters } =
    model.type === 'video'
      ? resolveVideoRequest(model, { ...body, mode: model.modes[0] ?? 'text-to-video' })
      : resolveImageRequest(model, body);
  return priceCredits(presentModel(model).pricing, parameters);
}

type Item = { json: Record<string, unknown> };

let estimatePrices: (context: object, kind: 'video' | 'image') => Promise<Item[]>;
beforeAll(async () => {
  ({ estimatePrices } = await loadSource<{ estimatePrices: typeof estimatePrices }>(
    'nodes/Framegate/actions/estimatePrice.ts',
  ));
});

/** Estimate Price for items with these parameters, where the key sees these models. */
async function estimate(
  models: ModelEntry[],
  kind: 'video' | 'image',
  items: Record<string, unknown>[],
) {
  const asked: string[] = [];
  const context = {
    getNode: () => ({ name: 'Framegate' }),
    getInputData: () => items,
    getExecutionCancelSignal: () => undefined,
    continueOnFail: () => false,
    getCredentials: async () => ({
      baseUrl: 'https://media.example.com/v1',
      apiKey: `fg_live_${'x'.repeat(38)}`,
    }),
    getNodeParameter: (name: string, item: number, fallback?: unknown) =>
      items[item]?.[name] ?? fallback,
    helpers: {
      httpRequestWithAuthentication: async (
        _: string,
        request: { method: string; url: string },
      ) => {
        asked.push(`${request.method} ${request.url}`);
        return { statusCode: 200, headers: {}, body: { object: 'list', data: models } };
      },
    },
  };
  return { items: await estimatePrices(context, kind), asked };
}

describe('Estimate Price', () => {
  test.each(catalogue.map((model) => [model.id, model] as const))(
    "%s: equals the gateway's charge, by default and for its examples",
    async (id, model) => {
      const entry = presentModel(model);
      const field: Record<string, string | undefined> = {
        duration_seconds: 'durationSeconds',
        generate_audio: 'generateAudio',
      };
      const examples = entry.pricing.examples.map(({ parameters, cost_credits }) => ({
        cost_credits,
        parameters: Object.fromEntries(
          Object.entries(parameters).map(([name, value]) => [
            field[name] ?? name,
            value as unknown,
          ]),
        ),
      }));
      const orders = [
        { model: id },
        ...examples.map(({ parameters }) => ({ model: id, parameters })),
      ];
      const { items, asked } = await estimate([entry], entry.type, orders);
      expect(items.map(({ json }) => json['cost_credits'])).toEqual([
        usualPrice(model),
        ...examples.map(({ cost_credits }) => cost_credits),
      ]);
      expect(asked).toEqual(['GET https://media.example.com/v1/models']);
    },
  );

  test('follows the defaults and prices of this gateway, not those of its build', async () => {
    const model = catalogue.find(({ id }) => id === 'alpha-2.0-fast');
    if (model?.type !== 'video') throw new Error('the catalogue has changed');
    const route = mergeSupport(noSupport, {
      ...statedVideo,
      resolutions: ['480p'],
      seconds: [8, 10],
    });
    const offered = offeredModel(model, [route]);
    if (!offered) throw new Error('the route makes nothing');
    const entry = presentModel(offered);
    const dearer = Object.entries(entry.pricing.credits).map(([key, each]) => [key, each * 10]);
    const pricing = { ...entry.pricing, credits: Object.fromEntries(dearer) as never };
    const priced = { ...entry, pricing } as ModelEntry;
    const { items } = await estimate([priced], 'video', [{ model: model.id }]);
    expect(usualPrice(offered)).not.toBe(usualPrice(model));
    expect(items[0]?.json).toEqual({
      model: model.id,
      type: 'video',
      cost_credits: 10 * usualPrice(offered),
      parameters: { resolution: '480p', duration_seconds: 8, generate_audio: false },
    });
  });

  test.each([
    ['Model must be a model that your key can use', { model: 'none' }],
    ['Duration (Seconds) must be from 4 to 10 for alpha-2.0-mini', { durationSeconds: 99 }],
    ['Resolution must be one that alpha-2.0-mini offers', { resolution: '9000p' }],
  ])(
    'gives no price for an unsupported request: %s',
    async (message, { model, ...parameters }: { model?: string; [field: string]: unknown }) => {
      const order = { model: model ?? 'alpha-2.0-mini', parameters };
      const error = await estimate(catalogue.map(presentModel), 'video', [order]).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(shownOf(error).message).toContain(message);
    },
  );
});
