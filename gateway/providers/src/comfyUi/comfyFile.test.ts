import { describe, expect, test } from '@jest/globals';
import { parseRoutesFile, RoutesFileError } from '../routesFile.ts';

const workflow = {
  '3': { class_type: 'KSampler', inputs: { seed: 1, positive: ['6', 0] } },
  '6': { class_type: 'CLIPTextEncode', inputs: { text: 'a', clip: ['4', 1] } },
  '12': { class_type: 'LoadImage', inputs: { image: 'a.png' } },
};
const gpus = {
  kind: 'comfyui',
  servers: { one: 'http://10.0.0.11:8188/', two: 'http://10.0.0.12:8188' },
  workflows: { draw: workflow },
  allowPrivateNetwork: true,
};
const drawn = {
  provider: 'gpus',
  model: 'draw',
  does: { modes: ['text-to-video', 'image-to-video', 'multimodal-to-video'] },
  send: { prompt: '6.text', seed: '3.seed' },
};

const parse = (provider: object, route: object, more: object = {}) =>
  parseRoutesFile(
    {
      providers: { gpus: { ...gpus, ...provider }, ...more },
      models: { m: [{ ...drawn, ...route }] },
    },
    {},
    [{ id: 'm', type: 'video' }],
  );

function problemsOf(...given: Parameters<typeof parse>): readonly string[] {
  try {
    parse(...given);
  } catch (error) {
    if (error instanceof RoutesFileError) return error.problems;
    throw error;
  }
  return [];
}

test('each server is a separate provider with one slot, and has a route', () => {
  const { providers, models } = parse({}, {});
  const told = [...providers].map(([name, each]) => [name, each.maxConcurrent]);
  expect(told).toEqual([
    ['gpus.one', 1],
    ['gpus.two', 1],
  ]);
  expect(providers.get('gpus.one')).toMatchObject({
    baseURL: 'http://10.0.0.11:8188',
    mediaHosts: ['10.0.0.11:8188'],
    keys: [],
  });
  const routes = models.get('m')?.routes.map(({ provider, listedAt }) => [provider, listedAt]);
  expect(routes).toEqual([
    ['gpus.one', 0],
    ['gpus.two', 0],
  ]);
});

test.each([
  ['no picture', {}, ['text-to-video'], []],
  ['a first frame', { firstFrame: '12.image' }, ['image-to-video'], []],
  [
    ...(['a first and a last frame', { firstFrame: '12.image', lastFrame: '12.image' }] as const),
    ...([['image-to-video'], ['lastFrame']] as const),
  ],
  ['references', { images: '12.image' }, ['multimodal-to-video'], ['references']],
])('a workflow that loads %s makes nothing else', (_, placed, modes, requires) => {
  const { models } = parse({}, { send: { ...drawn.send, ...placed } });
  expect(models.get('m')?.routes[0]?.does).toEqual({ modes, requires });
});

describe('is refused with its path:', () => {
  const route = 'models.m[0]';
  const cases: [string, object, object, string[]][] = [
    [
      ...(['a workflow that is not there', {}, { model: 'drew' }] as const),
      [`${route}.model is "drew", which is not in workflows (did you mean "draw"?).`],
    ],
    ['no prompt', {}, { send: {} }, [`${route}.send must name the input for the prompt.`]],
    [
      ...(['other nodes and inputs', {}] as const),
      {
        send: { prompt: '6.txt', seed: '9.seed', fixed: { '3': { step: 4 } } },
        options: { '3': { cfg: 1 } },
      },
      [
        `${route}.send.prompt names 6.txt, which is not an input of that node (did you mean "text"?).`,
        `${route}.send.seed names 9.seed, but the workflow has no node 9.`,
        `${route}.send.fixed names 3.step, which is not an input of that node (did you mean "seed"?).`,
        `${route}.options names 3.cfg, which is not an input of that node.`,
      ],
    ],
    [
      ...([
        'other files than pictures',
        {},
        { send: { ...drawn.send, audios: '12.image' } },
      ] as const),
      [`${route}.send.audios is not possible: only pictures are uploaded.`],
    ],
    [
      ...(['the format of the editor', { workflows: { draw: { nodes: [] } } }, {}] as const),
      [
        'providers.gpus.workflows.draw must be in API format: export it from ComfyUI with Export (API).',
      ],
    ],
    [
      ...(['plain http without leave', { allowPrivateNetwork: false }, {}] as const),
      ['one', 'two'].map(
        (name) =>
          `providers.gpus.servers.${name} must be an https URL (or http, with allowPrivateNetwork: true).`,
      ),
    ],
  ];
  test.each(cases)('%s', (_, provider, changed, problems) => {
    expect(problemsOf(provider, changed)).toEqual(problems);
  });

  test('a server with the name of another provider', () => {
    const other = { 'gpus.two': { kind: 'preview-renderer' } };
    const is = 'providers.gpus.servers.two is called gpus.two, like another provider.';
    expect(problemsOf({}, {}, other)).toEqual([is]);
  });

  test('a prompt among the fields of another kind', () => {
    const ark = {
      kind: 'model-ark',
      apiKeyEnv: 'K',
      baseURL: 'https://a.example',
      mediaHosts: ['a.b'],
    };
    const json = {
      providers: { ark },
      models: { m: [{ provider: 'ark', model: 'x', send: { prompt: 'text' } }] },
    };
    expect(() => parseRoutesFile(json, { K: 'k' }, [{ id: 'm', type: 'video' }])).toThrow(
      `${route}.send.prompt is for kind comfyui only.`,
    );
  });
});
