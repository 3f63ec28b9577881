import { beforeAll, describe, expect, test } from '@jest/globals';
import { arkProvider } from '../support/arkRoutes.ts';
import { video } from '../support/bodies.ts';
import type { ApiResponse } from '../support/gateway.ts';
import { statedVideo } from '../support/statedSupport.ts';
import { type RoutedArk, useRoutedArk } from './useRoutedArk.ts';

const world = useRoutedArk((ark) => {
  const route = (does: object = {}) => [
    { provider: 'p', model: 'seedance', does: { ...statedVideo, ...does } },
  ];
  return {
    providers: { p: arkProvider(ark) },
    models: {
      'alpha-2.5': route(),
      'beta-3.0': [
        ...route({ resolutions: ['720p'], seconds: [4, 6, 8] }),
        ...route({ resolutions: ['1080p'], seconds: [10], audio: false }),
      ],
    },
  };
});
let { ark, account } = {} as RoutedArk;
beforeAll(() => {
  ({ ark, account } = world());
});

const order = (model: string, prompt: string, parameters: object = {}): Promise<ApiResponse> =>
  account.post('/v1/videos', video({ model, prompt, parameters }));

describe('a model whose routes do less than the catalogue', () => {
  test('is shown with everything that at least one of them supports', async () => {
    const { json } = await account.get('/v1/models');
    const models = json['data'] as { id: string }[];
    expect(models.map(({ id }) => id)).toEqual(['alpha-2.5', 'beta-3.0']);
    expect(models.at(-1)).toMatchObject({
      capabilities: {
        resolutions: ['720p', '1080p'],
        duration_seconds: { min: 4, max: 10, default: 4 },
        generate_audio: true,
        inputs: { image: { max_count: 2 } },
      },
      pricing: { credits: { '720p': 15, '1080p': 25 } },
    });
  });

  test('refuses a request that no single route supports, and names alternatives', async () => {
    const parameters = { resolution: '1080p', duration_seconds: 10, generate_audio: true };
    const { status, json } = await order('beta-3.0', 'a bay', parameters);
    expect(status).toBe(400);
    const { error } = json as { error: { code: string; details: { param: string }[] } };
    expect(error.code).toBe('invalid_request');
    expect(error.details).toEqual([
      {
        param: 'parameters.generate_audio',
        code: 'not_supported',
        message: 'Together with the rest of this request beta-3.0 offers false.',
      },
    ]);
    expect(ark.submitted()).toEqual([]);
  });

  test('refuses values that no route supports as not offered', async () => {
    const { status, json } = await order('beta-3.0', 'a bay', { resolution: '2160p' });
    expect(status).toBe(400);
    expect(json).toMatchObject({ error: { param: 'parameters.resolution' } });
  });

  test('makes the default request', async () => {
    const { status, json } = await order('beta-3.0', 'a bay');
    expect(status).toBe(202);
    expect(await account.untilEnded(String(json['id']))).toMatchObject({
      status: 'completed',
      billing: { cost_credits: 60 },
      parameters: { resolution: '720p', duration_seconds: 4, generate_audio: false },
    });
  });
});
