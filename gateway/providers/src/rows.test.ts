import { describe, expect, test } from '@jest/globals';
import type { VideoParameters } from '@framegate/contract';
import { testedPackages } from './aiSdk/dialects.ts';
import { arkDialect } from './modelArk/modelArk.ts';
import { planOf } from './routePlan.ts';
import { unroutedEntry } from './routesFile.ts';
import { type CoveredRequest, covers } from './routeSupport.ts';
import { meantPattern, parseRows, type ProviderRows, type Row, rowOf } from './rows.ts';

const tables = {
  ...Object.fromEntries(
    Object.entries(testedPackages).map(([name, { dialect }]) => [
      name.replace('@ai-sdk/', ''),
      dialect.models,
    ]),
  ),
  ark: arkDialect.models,
} as Readonly<Record<string, ProviderRows>>;

const modelsOf = (name: string): ProviderRows => {
  const found = tables[name];
  if (!found) throw new Error(`no rows of ${name}`);
  return found;
};
const supportOf = (name: string, type: Row['type'], model: string) =>
  planOf(modelsOf(name), type, unroutedEntry('p', model)).support;
/** A model that matches a pattern. */
const modelIn = (pattern: string) => pattern.replaceAll('*', 'x');

describe.each(Object.entries(tables))('the rows of %s', (_, models) => {
  const patterns = models.rows.flatMap((row) => row.match.map((pattern) => ({ row, pattern })));

  test.each(patterns)('have one for $pattern, which no other row matches', ({ row, pattern }) => {
    expect(rowOf(models, row.type, modelIn(pattern))).toBe(row);
  });

  test.each(patterns)('keep every promise for $pattern', ({ row, pattern }) => {
    const { support } = planOf(models, row.type, unroutedEntry('p', modelIn(pattern)));
    const { references = {}, ...does } = row.does;
    expect(support).toMatchObject({ ...does, references });
  });

  test.each(patterns)(
    'that match $pattern are not reported as typing errors',
    ({ row, pattern }) => {
      expect(meantPattern(models, row.type, modelIn(pattern))).toBeNull();
    },
  );

  test('replace a retired model by a live one', () => {
    for (const { type, retired } of models.rows) {
      if (!retired?.replacement) continue;
      const next = rowOf(models, type, retired.replacement);
      expect(next).toBeDefined();
      expect(next?.retired).toBeUndefined();
    }
  });
});

test.each([
  ['openai', 'image', 'gpt-imgae-2', 'gpt-image-2*'],
  ['fal', 'video', 'bytedance/seedance-2.0/text-to-vidoe', '*seedance-2*text-to-video'],
  ['openai', 'image', 'gpt-image-2', null],
  ['openai', 'image', 'dall-e-3', null],
  ['fal', 'video', 'vendor/new-model/text-to-video', null],
] as const)('a mistyped id is close to a row: %s %s %s', (name, type, model, pattern) => {
  expect(meantPattern(modelsOf(name), type, model)).toBe(pattern);
});

describe('a file of rows', () => {
  const row = {
    type: 'video',
    match: ['a.1-*-b'],
    does: {},
    source: 'https://x.example',
    readOn: '2026-11-22',
  };

  test('has patterns for whole ids, in which every character but * is literal', () => {
    const models = parseRows({ name: 'own', rows: [row] });
    expect(rowOf(models, 'video', 'a.1-x-b')).toBeDefined();
    for (const model of ['aa1-x-b', 'xa.1-x-b', 'a.1-x-bx', 'a.1-b']) {
      expect(rowOf(models, 'video', model)).toBeUndefined();
    }
    expect(rowOf(models, 'image', 'a.1-x-b')).toBeUndefined();
  });

  test('has sizes that also apply to the reverse ratio', () => {
    const [{ sizes } = {}] = parseRows({ name: 'own', rows: [{ ...row, sizes: 'wan' }] }).rows;
    expect(sizes).toMatchObject({ '720p': { '4:3': '1088x832', '3:4': '832x1088' } });
  });

  test('is refused with every problem, its path and the nearest name', () => {
    const wrong = {
      name: 'own',
      rows: [
        { ...row, does: { secnds: [5] }, readOn: 'yesterday' },
        { ...row, send: { durration: 'd', ratio: { '@ratio': '{ratio}' }, size: 'a b' } },
        { ...row, send: { duration: { d: '{seconds}s' } } },
      ],
      errors: [{ source: 'x', rules: [{ match: '(', code: 'spicy' }] }],
      operations: [{ id: '[' }],
      cancel: { method: 'GET', field: 'id', url: 'http://x.example', headers: { key: 'k' } },
      takesBytesOny: true,
    };
    const parse = () => parseRows(wrong);
    for (const problem of [
      'rows[0].does.secnds is not allowed (did you mean "seconds"?)',
      'rows[0].readOn must be',
      'rows[1].send.durration is not allowed (did you mean "duration"?)',
      'rows[1].send.ratio["@ratio"] must be a field of the provider, or one of @aspectRatio',
      'rows[1].send.size must be a field of the provider',
      'errors[0].rules[0].match failed custom validation because Invalid regular expression',
      'errors[0].rules[0].code must be one of [input_invalid',
      'operations[0].id failed',
      'operations[0].operation is required',
      'cancel.method must be one of [POST, PUT, DELETE]',
      'cancel.url must be an https URL or a path after {baseURL} or {value}',
      'cancel.headers.key must be a text with {key}',
      'takesBytesOny is not allowed (did you mean "takesBytesOnly"?)',
      'rows[2].send.duration.d has the placeholder seconds, which is none of s, resolution',
    ]) {
      expect(parse).toThrow(problem);
    }
  });

  test.each([
    ['quota.*exhausted', false],
    ['quota[^|]+exhausted', false],
    ['quota.{2,}exhausted', false],
    ['quota[^|]{0,200}exhausted', true],
    [String.raw`^(.*\| )?quota\.* \w+`, true],
  ])('has error patterns whose gaps end: %s', (match, isFine) => {
    const rules = [{ match, code: 'busy' }];
    const errors = [{ source: 'https://x.example', readOn: '2026-11-22', rules }];
    const parse = () => parseRows({ name: 'own', rows: [row], errors });
    if (isFine) expect(parse).not.toThrow();
    else expect(parse).toThrow('errors[0].rules[0].match failed custom validation because it has');
  });

  test('names only existing ways to send and sizes', () => {
    const parse = () => parseRows({ name: 'own', rows: [{ ...row, send: 'fast', sizes: 'big' }] });
    expect(parse).toThrow('rows[0].send names "fast"');
    expect(parse).toThrow('rows[0].sizes names "big"');
  });
});

type Input = CoveredRequest['inputs'][number];
const inputsOf: Record<string, Input[]> = {
  text: [],
  image: [{ type: 'image', role: 'first_frame' }],
  multimodal: [{ type: 'image', role: 'reference' }],
};

function makesVideo(
  name: string,
  model: string,
  mode: string,
  { seconds = 5, ...parameters }: Partial<VideoParameters> & { seconds?: number },
): boolean {
  return covers(supportOf(name, 'video', model), {
    type: 'video',
    mode: `${mode}-to-video`,
    inputs: inputsOf[mode] ?? [],
    parameters: {
      duration_seconds: seconds,
      resolution: '720p',
      aspect_ratio: '16:9',
      generate_audio: false,
      seed: 1,
      real_person_mode: false,
      ...parameters,
    },
  });
}

/** The shortest and the longest video in whole seconds, up to a minute. */
function lengths(name: string, model: string, mode: string, parameters: Partial<VideoParameters>) {
  const all = Array.from({ length: 60 }, (_, index) => index + 1);
  return all.filter((seconds) => makesVideo(name, model, mode, { ...parameters, seconds }));
}

const from = (min: number, max: number) =>
  Array.from({ length: max - min + 1 }, (_, index) => min + index);
const loud = { generate_audio: true };

describe('seconds', () => {
  test.each<[string, string, string, Partial<VideoParameters>, number[]]>([
    ['ark', 'seedance-1-5-pro-251215', 'text', {}, from(4, 12)],
    ['ark', 'seedance-1-0-pro-250528', 'text', {}, from(2, 12)],
    ['ark', 'seedance-1-0-pro-fast-251015', 'image', {}, from(2, 12)],
    ['ark', 'dreamina-seedance-2-0-260128', 'text', {}, from(4, 15)],
    ['ark', 'dreamina-seedance-2-5-260628', 'multimodal', {}, from(4, 30)],
    ['fal', 'fal-ai/bytedance/seedance/v1.5/pro/text-to-video', 'text', {}, from(4, 12)],
    ['fal', 'fal-ai/bytedance/seedance/v1.5/pro/image-to-video', 'image', {}, from(4, 12)],
    ['fal', 'fal-ai/bytedance/seedance/v1/pro/text-to-video', 'text', {}, from(2, 12)],
    ['fal', 'bytedance/seedance-2.0/fast/text-to-video', 'text', {}, from(4, 15)],
    ['fal', 'bytedance/seedance-2.5/text-to-video', 'text', {}, from(4, 30)],
    ['alibaba', 'wan2.5-t2v-preview', 'text', loud, [5, 10]],
    ['alibaba', 'wan2.6-t2v', 'text', loud, from(2, 15)],
    ['alibaba', 'wan2.6-r2v', 'multimodal', loud, from(2, 10)],
    ['alibaba', 'wan2.6-r2v-flash', 'multimodal', {}, from(2, 10)],
    ['google', 'veo-3.1-generate-preview', 'text', loud, [4, 6, 8]],
    ['google', 'veo-3.1-generate-preview', 'text', { ...loud, resolution: '1080p' }, [8]],
    ['google', 'veo-3.1-generate-preview', 'text', { ...loud, resolution: '2160p' }, [8]],
    ['google', 'veo-3.1-generate-preview', 'multimodal', loud, [8]],
    ['google', 'veo-3.1-generate-preview', 'multimodal', { ...loud, aspect_ratio: '9:16' }, []],
    ['google', 'veo-2.0-generate-001', 'text', {}, [5, 6, 8]],
    ['black-forest-labs', 'flux-3-video', 'text', loud, from(5, 20)],
    ['xai', 'grok-imagine-video', 'text', {}, from(1, 15)],
  ])('%s %s, %s %j', (name, model, mode, parameters, expected) => {
    expect(lengths(name, model, mode, parameters)).toEqual(expected);
  });
});

describe('resolutions', () => {
  const all = ['480p', '720p', '1080p', '2160p'] as const;
  test.each<[string, string, string, Partial<VideoParameters>, string[]]>([
    ['ark', 'dreamina-seedance-2-0-260128', 'text', {}, [...all]],
    ['ark', 'dreamina-seedance-2-0-fast-260128', 'text', {}, ['480p', '720p']],
    ['ark', 'dreamina-seedance-2-0-mini-260615', 'text', {}, ['480p', '720p', '1080p']],
    ['ark', 'dreamina-seedance-2-5-260628', 'text', {}, ['480p', '720p']],
    ['ark', 'seedance-1-0-lite-t2v-250428', 'text', {}, ['480p', '720p']],
    ['ark', 'seedance-1-0-lite-t2v-250428', 'image', {}, []],
    ['ark', 'seedance-1-0-lite-i2v-250428', 'image', {}, ['480p', '720p']],
    ['ark', 'seedance-1-0-lite-i2v-250428', 'multimodal', {}, ['480p', '720p']],
    ['ark', 'seedance-1-0-lite-i2v-250428', 'text', {}, []],
    ['ark', 'seedance-1-5-pro-251215', 'text', {}, ['480p', '720p', '1080p']],
    ['alibaba', 'wan2.5-t2v-preview', 'text', loud, ['480p', '720p', '1080p']],
    ['alibaba', 'wan2.5-t2v-preview', 'text', { ...loud, aspect_ratio: '4:3' }, ['720p', '1080p']],
    ['xai', 'grok-imagine-video', 'text', {}, ['480p', '720p']],
    ['xai', 'grok-imagine-video-1.5', 'text', {}, ['480p', '720p', '1080p']],
    ['xai', 'grok-imagine-video-1.5', 'multimodal', {}, ['480p', '720p']],
    ['black-forest-labs', 'flux-3-video', 'image', {}, ['720p', '1080p']],
    ['replicate', 'bytedance/seedance-2.0-fast', 'text', {}, ['480p', '720p']],
  ])('%s %s, %s %j', (name, model, mode, parameters, expected) => {
    const made = all.filter((resolution) =>
      makesVideo(name, model, mode, { ...parameters, resolution }),
    );
    expect(made).toEqual(expected);
  });
});

test.each<[string, string, string, boolean[]]>([
  ['alibaba', 'wan2.6-r2v', 'multimodal', [false, true]],
  ['alibaba', 'wan2.6-r2v-flash', 'multimodal', [true, true]],
  ['alibaba', 'wan2.6-t2v', 'text', [false, true]],
  ['ark', 'seedance-1-0-pro-250528', 'text', [true, false]],
])('%s %s, %s: without sound and with it', (name, model, mode, expected) => {
  const made = [false, true].map((sound) =>
    makesVideo(name, model, mode, { generate_audio: sound }),
  );
  expect(made).toEqual(expected);
});

test('from a picture, Wan 2.6 always has sound, and the flash model has a switch', () => {
  expect(supportOf('alibaba', 'video', 'wan2.6-i2v').audio).toBe('always');
  expect(supportOf('alibaba', 'video', 'wan2.6-i2v-flash').audio).toBe(true);
});

test('ModelArk accepts no real people, for any model', () => {
  for (const { match } of arkDialect.models.rows) {
    expect(supportOf('ark', 'video', modelIn(match[0] ?? '')).realPerson).toBe(false);
  }
});

test('xAI takes no audio files as references', () => {
  for (const model of ['grok-imagine-video', 'grok-imagine-video-1.5']) {
    const { references } = supportOf('xai', 'video', model);
    expect(references).toEqual({ image: 7, video: 0, audio: 0 });
  }
});

test.each([
  ['gpt-image-2', ['1k 16:9', '1k 21:9', '1k 3:2', '2k 16:9', '2k 21:9', '2k 3:2']],
  ['gpt-image-2.5-flare', ['1k 16:9', '1k 21:9', '1k 3:2', '2k 16:9', '2k 21:9', '2k 3:2']],
  ['gpt-image-1', ['1k 3:2']],
])('%s makes %j', (model, expected) => {
  const support = supportOf('openai', 'image', model);
  const made = (['1k', '2k', '4k'] as const).flatMap((resolution) =>
    (['16:9', '21:9', '3:2'] as const).flatMap((aspectRatio) => {
      const parameters = {
        n: 1,
        resolution,
        aspect_ratio: aspectRatio,
        output_format: 'png' as const,
        seed: 1,
      };
      const request = { type: 'image' as const, mode: null, inputs: [], parameters };
      return covers(support, request) ? [`${resolution} ${aspectRatio}`] : [];
    }),
  );
  expect(made).toEqual(expected);
});
