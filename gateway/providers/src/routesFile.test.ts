import { describe, expect, test } from '@jest/globals';
import { exampleRoutes } from '../../../test/support/exampleRoutes.ts';
import { defaultRoutes, parseRoutesFile, RoutesFileError } from './routesFile.ts';

const catalogue = [
  { id: 'alpha-2.0-pro', type: 'video' },
  { id: 'image-a-2', type: 'image' },
] as const;

const env = { FAL_API_KEY: 'fal-key', ARK_API_KEY: 'ark-key' };

/** Problems of a file. */
function problemsOf(
  json: unknown,
  variables: Record<string, string> = env,
  mode?: 'production',
): readonly string[] {
  try {
    parseRoutesFile(json, variables, catalogue, mode);
  } catch (error) {
    if (error instanceof RoutesFileError) return error.problems;
    throw error;
  }
  return [];
}

/** A change of a routes file. */
type Change = (json: ReturnType<typeof exampleRoutes>) => void;

/** The example with some changes. */
function changed(...changes: Change[]): unknown {
  const json = structuredClone(exampleRoutes());
  for (const change of changes) change(json);
  return json;
}

const ofArk =
  (fields: object): Change =>
  ({ providers }) =>
    Object.assign(providers.ark, fields);
const ofF =
  (fields: object): Change =>
  ({ providers }) =>
    Object.assign(providers.f, fields);
/** Problems of the route that leads to `f`. */
const ofRoute =
  (fields: object): Change =>
  ({ models }) =>
    Object.assign(models['alpha-2.0-pro'][1] ?? {}, fields);
/** Adds fields next to providers and models. */
const withTop =
  (fields: object): Change =>
  (json) =>
    Object.assign(json, fields);
/** Adds a route of the image model. */
const withImages =
  (route: object): Change =>
  ({ models }) =>
    Object.assign(models, { 'image-a-2': [route] });

describe('parseRoutesFile', () => {
  test('reads the example, with its keys and its defaults', () => {
    const file = parseRoutesFile(exampleRoutes(), env, catalogue);
    expect(file.providers.get('f')).toMatchObject({
      name: 'f',
      kind: 'ai-sdk',
      package: '@ai-sdk/fal',
      factory: 'createFal',
      keys: [{ name: 'FAL_API_KEY', secret: 'fal-key' }],
      options: {},
      calls: {},
      maxConcurrent: 20,
      rewriteOrigins: new Map([['https://queue.fal.run', 'https://proxy.example']]),
      apiOrigins: new Set(['https://queue.fal.run']),
      mediaHosts: ['*.media.example'],
      allowPrivateNetwork: false,
      errorRules: [{ match: 'content_policy', code: 'output_rejected' }],
      budget: null,
    });
    expect(file.providers.get('ark')).toMatchObject({
      kind: 'model-ark',
      baseURL: 'https://ark.example/api/v3',
      keys: [{ name: 'ARK_API_KEY', secret: 'ark-key' }],
      apiOrigins: new Set(['https://ark.example']),
      maxConcurrent: 20,
      allowPrivateNetwork: false,
      errorRules: [],
    });
    expect(file.providers.get('preview')).toMatchObject({ maxConcurrent: 4 });
    expect(file.models.get('alpha-2.0-pro')?.routes).toMatchObject([
      { provider: 'ark', model: 'upstream-model-id', safeToRepeat: null },
      { provider: 'f', does: {}, send: {}, options: {}, realPersonOptions: {} },
    ]);
  });

  test('accepts plain http and private addresses where the operator allows them', () => {
    const json = changed(
      ofArk({ baseURL: 'http://127.0.0.1:4000/api/v3/', allowPrivateNetwork: true }),
      ofArk({
        mediaHosts: ['127.0.0.1:4000'],
        rewriteOrigins: { 'https://A.b/': 'http://[::1]:1/' },
      }),
    );
    const ark = parseRoutesFile(json, env, catalogue).providers.get('ark');
    expect(ark).toMatchObject({
      baseURL: 'http://127.0.0.1:4000/api/v3',
      rewriteOrigins: new Map([['https://a.b', 'http://[::1]:1']]),
      apiOrigins: new Set(['https://a.b', 'http://127.0.0.1:4000']),
    });
  });

  const budget = { currency: 'USD', perDay: 1 };
  /** Changes, and the message for each. */
  const wrong: [Change | Change[], string][] = [
    [ofF({ kind: 'magic' }), 'providers.f.kind must be one of'],
    [ofArk({ package: 'x' }), 'providers.ark.package is not allowed'],
    [ofF({ factory: undefined }), 'providers.f.factory is required'],
    [ofF({ package: '../evil' }), 'providers.f.package must be the name of an npm package'],
    [ofArk({ baseURL: 'http://ark.example' }), 'providers.ark.baseURL must be an https URL'],
    [
      ofF({ rewriteOrigins: { 'https://a.b': 'http://c.d' } }),
      'providers.f.rewriteOrigins["https://a.b"] must be an https URL',
    ],
    [
      ofF({ rewriteOrigins: { 'https://a.b/c': 'https://c.d' } }),
      'providers.f.rewriteOrigins["https://a.b/c"] must be an origin',
    ],
    [ofF({ mediaHosts: ['https://a.b'] }), 'providers.f.mediaHosts[0] must be a host'],
    [ofF({ mediaHosts: ['*.com'] }), 'providers.f.mediaHosts[0] must be a host'],
    [ofF({ mediaHosts: [] }), 'providers.f.mediaHosts must name the hosts of finished videos'],
    [
      ofF({ errorRules: [{ match: 'abc', code: 'internal_error' }] }),
      'providers.f.errorRules[0].code must be one of',
    ],
    [
      ({ models }) => Object.assign(models, { 'alpha-9': [] }),
      'models["alpha-9"] is not a model of the catalogue (alpha-2.0-pro, image-a-2)',
    ],
    [
      withImages({ provider: 'missing', model: 'x' }),
      'models["image-a-2"][0].provider is "missing", which is not in providers',
    ],
    [
      withImages({ provider: 'ark', model: 'x' }),
      'models["image-a-2"][0].provider is of kind model-ark, which makes videos only',
    ],
    [
      withImages({ provider: 'f', model: 'x', does: { audio: 'maybe' } }),
      'models["image-a-2"][0].does.audio must be one of',
    ],
    [
      withImages({ provider: 'f', model: 'x', does: { resolution: ['1k'] } }),
      'models["image-a-2"][0].does.resolution is not allowed (did you mean "resolutions"?)',
    ],
    [
      withImages({ provider: 'f', model: 'x', send: { ratios: 'aspect_ratio' } }),
      'models["image-a-2"][0].send.ratios is not allowed (did you mean "ratio"?)',
    ],
    [
      withImages({ provider: 'f', model: 'x', send: { ratio: '@ratio' } }),
      'models["image-a-2"][0].send.ratio must be a field of the provider, or one of @aspectRatio',
    ],
    [
      ofRoute({ weigth: 3 }),
      'models["alpha-2.0-pro"][1].weigth is not allowed (did you mean "weight"?)',
    ],
    [
      ofRoute({ cost: { currency: 'USD', perSecond: { '480p': 0.0000001 } } }),
      'models["alpha-2.0-pro"][1].cost.perSecond["480p"] must be an amount from 0 to 1000000',
    ],
    [
      ofRoute({ cost: { currency: 'USD', perSecond: { '8k': 1 } } }),
      'models["alpha-2.0-pro"][1].cost.perSecond["8k"] is not allowed',
    ],
    [
      ofRoute({ cost: { currency: 'USD', perSecond: '1' } }),
      'models["alpha-2.0-pro"][1].cost.perSecond must be an amount, or amounts by resolution',
    ],
    [
      ofRoute({ cost: { currency: 'USD', perImage: 1 } }),
      'models["alpha-2.0-pro"][1].cost has no price for a video: perSecond, perMillionTokens or perCall is needed',
    ],
    [
      ofRoute({ cost: { currency: 'USD', perCall: 1, perSecondWithSound: 1 } }),
      'models["alpha-2.0-pro"][1].cost.perSecondWithSound is for videos, in addition to perSecond',
    ],
    [
      ofRoute({ cost: { currency: 'USD', perSecond: 1, tokens: { fps: 24 } } }),
      'models["alpha-2.0-pro"][1].cost.tokens is for perMillionTokens',
    ],
    [
      ofRoute({ cost: { currency: 'USD', perMillionTokens: 1, tokens: { fps: 0 } } }),
      'models["alpha-2.0-pro"][1].cost.tokens.fps must be greater than or equal to 1',
    ],
    [
      ofRoute({ cost: { currency: 'USD', perCall: 1, perReference: { film: 1 } } }),
      'models["alpha-2.0-pro"][1].cost.perReference.film is not allowed',
    ],
    [
      ofF({ budget: { currency: '$', perDay: 1 } }),
      'providers.f.budget.currency must be a currency of three capital letters',
    ],
    [
      ofF({ budget }),
      'models["alpha-2.0-pro"][1].cost is needed: providers.f.budget counts the cost of its orders',
    ],
    [
      [ofF({ budget }), ofRoute({ cost: { currency: 'EUR', perCall: 1 } })],
      'models["alpha-2.0-pro"][1].cost.currency must be USD, as in providers.f.budget',
    ],
  ];

  test.each(wrong.map(([change, problem]) => [problem, change] as const))(
    '%s',
    (problem, change) => {
      const problems = problemsOf(changed(...[change].flat()));
      expect(problems).toHaveLength(1);
      expect(problems[0]).toContain(problem);
    },
  );

  test('reads costs and budgets in millionths', () => {
    const json = changed(
      ofF({ budget: { currency: 'USD', perDay: 12.5 } }),
      ofRoute({ cost: { currency: 'USD', perSecond: { '720p': 0.0525 }, perCall: 0 } }),
    );
    const file = parseRoutesFile(json, env, catalogue);
    expect(file.providers.get('f')?.budget).toEqual({ currency: 'USD', micros: 12_500_000 });
    expect(file.models.get('alpha-2.0-pro')?.routes.map(({ cost }) => cost)).toEqual([
      null,
      {
        currency: 'USD',
        perCall: 0,
        perSecond: { '720p': 52_500 },
      },
    ]);
  });

  test('allows no route to the preview renderer next to providers in production', () => {
    const json = changed(withImages({ provider: 'preview', model: 'x' }));
    expect(problemsOf(json)).toEqual([]);
    expect(problemsOf(json, env, 'production')).toEqual([
      expect.stringMatching(
        /^models\["image-a-2"\]\[0\] leads to the preview renderer in addition to/,
      ),
    ]);
    const alone = {
      ...exampleRoutes(),
      models: { 'image-a-2': [{ provider: 'preview', model: 'x' }] },
    };
    expect(problemsOf(alone, env, 'production')).toEqual([]);
    expect(problemsOf(exampleRoutes(), env, 'production')).toEqual([]);
  });

  test.each([
    [{ oder: {} }, 'oder is not allowed (did you mean "order"?)'],
    [{ order: { 'alpha-2.0-pro': 'cheap' } }, 'order["alpha-2.0-pro"] must be one of'],
    [
      { order: { 'alpha-2.0-por': 'cost' } },
      'order["alpha-2.0-por"] has no routes in models (did you mean "alpha-2.0-pro"?)',
    ],
    [
      { order: { 'alpha-2.0-pro': 'cost' } },
      'order["alpha-2.0-pro"] is "cost": all routes of the model need a cost in one currency',
    ],
    [{ groups: { Big: { regions: ['eu'] } } }, 'groups.Big is not allowed'],
    [{ groups: { big: { regions: [] } } }, 'groups.big.regions must contain at least 1'],
    [
      { groups: { big: { regions: ['eu-2'] } } },
      'groups.big.regions[0] is "eu-2", but no route has this region (did you mean "eu-1"?)',
    ],
  ])('refuses %j', (fields, message) => {
    const json = changed(ofRoute({ region: 'eu-1' }), withTop(fields));
    expect(problemsOf(json)).toEqual([expect.stringContaining(message)]);
  });

  test('reads the handling of results, by aspect, and the flags next to them', () => {
    const delivery = { size: 'deliver', flat: 'refund' };
    const flags = [{ at: 'output.blocked', is: ['yes'] }];
    const read = parseRoutesFile(changed(ofF({ delivery, flags })), env, catalogue);
    expect(read.providers.get('f')).toMatchObject({ delivery, flags });
    expect(problemsOf(changed(ofF({ delivery: { files: 'deliver' } })))).toEqual([
      expect.stringContaining('providers.f.delivery.files is not allowed'),
    ]);
    expect(problemsOf(changed(ofF({ delivery: { flat: 'keep' }, flags: [{ at: '/x' }] })))).toEqual(
      [
        expect.stringContaining('providers.f.delivery.flat'),
        expect.stringContaining('providers.f.flags[0].at'),
      ],
    );
  });

  test('names all problems at once, including unset keys', () => {
    const json = changed(ofF({ factory: 7 }), withImages({ provider: 'missing', model: '' }));
    const problems = problemsOf(json, {});
    expect(problems).toEqual([
      expect.stringContaining('providers.f.factory'),
      expect.stringContaining('models["image-a-2"][0].model'),
      'providers.ark.apiKeyEnv names ARK_API_KEY, which is not set in the environment.',
    ]);
    expect(new RoutesFileError(problems).message).toContain('\n  - providers.f.factory');
  });

  test.each([
    ['it is empty', { text: '' }],
    ['a line has a space: it must be a key alone', { text: 'one two' }],
    ['it has a key twice', { text: 'one\n\none\n' }],
    [
      'it has more than 50 lines',
      { text: Array.from({ length: 51 }, (_, index) => index).join('\n') },
    ],
    ['there is no such file', { problem: 'there is no such file' }],
  ])('explains a key file: %s', (problem, keyFile) => {
    const json = changed(ofArk({ apiKeyEnv: undefined, apiKeyFile: 'keys/ark' }));
    const read = () =>
      parseRoutesFile(json, env, catalogue, 'development', { keyFiles: { ark: keyFile } });
    expect(read).toThrow(`providers.ark.apiKeyFile is "keys/ark": ${problem}`);
    expect(read).not.toThrow('one two');
  });

  test('a provider has one source of keys', () => {
    const file = { apiKeyFile: 'keys/ark' };
    expect(problemsOf(changed(ofArk(file)))).toEqual([
      'providers.ark.apiKeyEnv is not allowed together with apiKeyFile.',
    ]);
    expect(
      problemsOf(changed(ofArk({ ...file, apiKeyEnv: undefined, apiKeyEnvs: ['A'] }))),
    ).toEqual(['providers.ark.apiKeyEnvs is not allowed together with apiKeyFile.']);
    expect(problemsOf(changed(ofArk({ apiKeyEnv: undefined })))).toEqual([
      'providers.ark.apiKeyEnv is required.',
    ]);
  });

  test.each([[null], ['text'], [[]], [{}], [{ providers: {}, models: [] }]])(
    'refuses %j',
    (json) => {
      expect(problemsOf(json).length).toBeGreaterThan(0);
    },
  );
});

test('without a file the preview renderer makes every model', () => {
  const file = defaultRoutes(catalogue);
  expect([...file.providers.values()]).toMatchObject([{ kind: 'preview-renderer' }]);
  expect([...file.models]).toMatchObject([
    ['alpha-2.0-pro', { type: 'video', routes: [{ provider: 'preview' }] }],
    ['image-a-2', { type: 'image', routes: [{ provider: 'preview' }] }],
  ]);
  expect([...defaultRoutes([]).providers.values()]).toMatchObject([{ maxConcurrent: 4 }]);
});
