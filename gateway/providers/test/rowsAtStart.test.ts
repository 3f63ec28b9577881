import { describe, expect, test } from '@jest/globals';
import { catalogue, dayMs } from '@framegate/contract';
import { openRoutes } from '../src/openRoutes.ts';
import { openNetwork as network } from './openNetwork.ts';

/** Lines about rows when a file with routes of fal is first read, or the problems that prevent it. */
async function start(models: object, now = () => Date.parse('2026-12-01')) {
  const told: [level: string, fields: object, message: string][] = [];
  const log = (level: string) => (fields: object, message: string) => {
    told.push([level, fields, message]);
  };
  const provider = { kind: 'ai-sdk', package: '@ai-sdk/fal', factory: 'createFal' };
  const http = { apiKeyEnv: 'KEY', mediaHosts: ['*.fal.media'] };
  const routes = await openRoutes({
    file: { content: { providers: { f: { ...provider, ...http } }, models } },
    env: { KEY: 'a-key' },
    catalogue: () => catalogue,
    maxMs: 0,
    mode: 'development',
    providersDir: null,
    network,
    now,
    log: { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') },
    openPreview: () => Promise.reject(new Error('no preview')),
  });
  await routes.close();
  return told;
}

const row = { provider: 'f', model: 'bytedance/seedance-2.0/text-to-video' };
const bare = { provider: 'f', model: 'vendor/new/text-to-video' };
const stated = {
  ...bare,
  does: {
    modes: ['text-to-video'],
    seconds: [5],
    resolutions: ['720p', '1080p'],
    aspectRatios: ['16:9'],
  },
  send: { resolution: { mode: { '720p': 'std' } } },
};

describe('a start', () => {
  test('refuses a route that states a fraction or text without sending it', async () => {
    const does = { negativePrompt: true, guidance: { min: 1, max: 5 } };
    const send = { negativePrompt: 'negative_prompt', guidance: 'cfg_scale' };
    await expect(start({ 'alpha-2.0-fast': [{ ...row, does }] })).rejects.toMatchObject({
      problems: [
        'models["alpha-2.0-fast"][0]: does states negativePrompt, guidance, but send does not say how to send it.',
      ],
    });
    await start({ 'alpha-2.0-fast': [{ ...row, does, send }] });
  });

  test('says which row each route uses, and names those that have none', async () => {
    const where = { model: 'alpha-2.0-fast', provider: 'f', providerModel: row.model };
    const nowhere = { ...where, providerModel: bare.model };
    expect(await start({ 'alpha-2.0-fast': [row, stated, bare] })).toEqual([
      [
        'info',
        {
          ...where,
          row: '*seedance-2*text-to-video',
          source: expect.stringMatching(/^https:/),
          readOn: expect.stringMatching(/^2026-/),
        },
        "row from a provider's document describes the model of a route",
      ],
      [
        'warn',
        nowhere,
        'no row describes the model of a route: it covers the parameters of its entry',
      ],
      [
        'warn',
        {
          ...nowhere,
          missing: [
            'does.modes',
            'does.seconds (for several values also send.duration)',
            'does.resolutions (for several values also send.resolution or size)',
            'does.aspectRatios (for several values also send.ratio or size)',
          ],
        },
        expect.stringMatching(/takes no orders$/),
      ],
    ]);
  });

  test('warns of a row that was read more than 180 days ago', async () => {
    const read = '2026-11-22T00:00:00.000Z';
    const after = (days: number) => () => Date.parse(read) + days * dayMs;
    const warned = async (days: number) =>
      (await start({ 'alpha-2.0-fast': [row] }, after(days))).filter(([level]) => level === 'warn');
    expect(await warned(180)).toEqual([]);
    expect(await warned(181)).toMatchObject([
      [
        'warn',
        { readOn: '2026-11-22' },
        'row that describes the model of a route is old: check it',
      ],
    ]);
  });

  test('is refused when a model has no usable route, with the fields that its routes need', async () => {
    await expect(start({ 'alpha-2.0-fast': [bare] })).rejects.toMatchObject({
      problems: [
        'models["alpha-2.0-fast"]: its routes make nothing that this model offers.',
        expect.stringMatching(
          /^models\["alpha-2\.0-fast"\]\[0\]: no row describes its model: it needs does\.modes, /,
        ),
      ],
    });
  });
});
