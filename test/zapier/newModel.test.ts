import { describe, expect, test } from '@jest/globals';
import { catalogue } from '../../shared/src/catalogue.ts';
import { presentModel } from '../../shared/src/presentModel.ts';
import {
  apiWith,
  fieldsOf,
  generationId,
  type LightApi,
  runLight,
  type Values,
  wholeApi,
} from './support/lightSteps.ts';

/* The gateway knows more models than the version of the app that is published. */

const inEditor = { meta: { isLoadingSample: true } };

describe('a model that this version does not know', () => {
  const [known] = catalogue.map(presentModel).filter(({ type }) => type === 'video');
  const gamma = {
    ...known,
    id: 'gamma-1',
    display_name: 'Gamma 1',
    capabilities: {
      ...known?.capabilities,
      modes: ['text-to-video', 'sketch-to-video'],
      resolutions: ['1440p', '4320p'],
      aspect_ratios: ['2:1'],
      duration_seconds: { min: 20, max: 40, default: 30 },
    },
    pricing: {
      ...known?.pricing,
      credits: { '1440p': 50, '4320p': 200 },
      examples: [
        { parameters: { duration_seconds: 30, resolution: '1440p', generate_audio: false } },
      ],
    },
  };
  const bodies: Values[] = [];
  const api: LightApi = (request, body) => {
    if (request === 'GET /models') return [200, { data: [gamma] }];
    if ('model' in body) bodies.push(body);
    return wholeApi(request, body);
  };

  test('is listed, with its own fields, bounds and price', async () => {
    const listed = await runLight('video_model_list', {}, api);
    expect(listed.outcome).toEqual({ results: [{ id: 'gamma-1', name: 'Gamma 1' }] });
    const { outcome } = await fieldsOf('create_video', { model: 'gamma-1' }, api);
    const fields = (outcome as { results: Values[] }).results;
    const field = (key: string) => fields.find((each) => each['key'] === key);
    const values = (key: string) =>
      (field(key)?.['choices'] as { value: string; label: string }[]).map(({ value }) => value);
    expect(field('price')?.['helpText']).toContain('50 at 1440p, 200 at 4320p');
    expect(values('mode')).toEqual(['text-to-video', 'sketch-to-video']);
    expect(values('resolution')).toEqual(['1440p', '4320p']);
    expect(field('resolution')?.['helpText']).toContain('1440p');
    expect(values('aspect_ratio')).toEqual(['2:1']);
    expect(field('aspect_ratio')?.['helpText']).not.toContain('16:9');
    expect(field('duration_seconds')?.['helpText']).toContain('from 20 to 40');
  });

  test('is tested in the editor, priced and created', async () => {
    const order = {
      model: 'Gamma 1',
      mode: 'sketch-to-video',
      prompt: 'A kite',
      resolution: '4320p',
    };
    const tested = await runLight('create_video', order, apiAbove(api, 9000), inEditor);
    expect(tested.outcome).toMatchObject({ results: { model: 'gamma-1', cost_credits: 6000 } });
    const priced = await runLight('find_price', order, api);
    expect(priced.outcome).toMatchObject({ results: [{ cost_credits: 6000 }] });
    const { outcome } = await runLight('create_video', order, api);
    expect(outcome).toMatchObject({ results: { id: generationId } });
    expect(bodies.at(-1)).toMatchObject({ model: 'gamma-1', mode: 'sketch-to-video' });
    expect(bodies.at(-1)?.['parameters']).toEqual({ resolution: '4320p' });
  });
});

/** An API with another balance. */
function apiAbove(api: LightApi, credits: number): LightApi {
  return (request, body) =>
    request === 'GET /credits/balance' ? apiWith(credits)(request, body) : api(request, body);
}
