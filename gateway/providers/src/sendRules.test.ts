import { describe, expect, test } from '@jest/globals';
import { type ByKind, byKind, parameterTables, usualValues } from '@framegate/contract';
import { describedDialect, testedPackages } from './aiSdk/dialects.ts';
import { coveredBy } from './coveredBy.ts';
import { arkDialect } from './modelArk/modelArk.ts';
import { planOf, type RoutePlan } from './routePlan.ts';
import { unroutedEntry } from './routesFile.ts';
import {
  type Abilities,
  type CoveredRequest,
  covers,
  mergeSupport,
  noSupport,
} from './routeSupport.ts';
import type { Row } from './rows.ts';
import { type SendRules, standardSend } from './sendRules.ts';
import { type Order, writeCall } from './writeCall.ts';

const tested = [...Object.values(testedPackages).map(({ dialect }) => dialect), arkDialect];
const described = (['pixels', 'name', 'ratio'] as const).map((size) =>
  describedDialect(`by ${size}`, { size }),
);

type Values = Record<string, unknown>;

/** Parameters that no row declares; the table of parameters gives the reasons. */
const neverDeclared = ['n', 'output_format', 'seed'];
/** Parameters sent by a route's own options. */
const byOptions = ['real_person_mode'];

const file = { type: 'url', url: 'https://a.example/1.png', mediaType: 'image/png' } as const;
const first = { type: 'image', role: 'first_frame' } as const;
const last = { type: 'image', role: 'last_frame' } as const;
const reference = { type: 'image', role: 'reference' } as const;
const inputsByMode: Record<string, CoveredRequest['inputs'][]> = {
  'text-to-video': [[]],
  'image-to-video': [[first], [first, last]],
  'multimodal-to-video': [[reference]],
};

const valuesOf: ByKind<[], readonly unknown[]> = {
  integer: () => Array.from({ length: 15 }, (_, index) => index + 1),
  fraction: ({ range: { min, max } }) => [undefined, min, max],
  choice: ({ values }) => values,
  flag: () => [false, true],
  text: () => [undefined, 'rain', 'snow'],
};

/** Every combination of the parameters that an order conveys. */
function everyRequest(type: Row['type']): Values[] {
  const isOurs = (name: string) => !neverDeclared.includes(name) && !byOptions.includes(name);
  return Object.entries(parameterTables[type])
    .filter(([name]) => isOurs(name))
    .reduce<Values[]>(
      (all, [name, row]) =>
        all.flatMap((each) => byKind(valuesOf, row).map((value) => ({ ...each, [name]: value }))),
      [{ ...usualValues(parameterTables[type]), seed: 1 }],
    );
}

function call(
  type: Row['type'],
  parameters: unknown,
  plan: RoutePlan,
  inputs: CoveredRequest['inputs'],
) {
  const prepared = inputs.map((each) => ({ ...each, file }));
  const order = { type, prompt: '', parameters } as unknown as Order;
  return JSON.stringify(writeCall(order, prepared, plan));
}

/** Pairs of requests that a route covers although their calls are equal. */
function dropped(type: Row['type'], plan: RoutePlan) {
  const modes = type === 'image' ? [null] : Object.keys(inputsByMode);
  return modes.flatMap((mode) =>
    (mode === null ? [[], [reference]] : (inputsByMode[mode] ?? [])).flatMap((inputs) => {
      const seen = new Map<string, Values>();
      return everyRequest(type).flatMap((parameters) => {
        const request = { type, mode, inputs, parameters } as unknown as CoveredRequest;
        if (!covers(plan.support, request)) return [];
        // With a first frame the ratio is the picture's, whatever is ordered.
        const ofPicture = plan.row?.keepsPictureRatio && mode === 'image-to-video';
        const told = ofPicture ? { ...parameters, aspect_ratio: '16:9' } : parameters;
        const made = call(type, told, plan, inputs);
        const same = seen.get(made);
        seen.set(made, told);
        return same === undefined || JSON.stringify(same) === JSON.stringify(told)
          ? []
          : [{ mode, same, parameters }];
      });
    }),
  );
}

describe('a parameter is sent or not covered', () => {
  const rows = tested.flatMap((dialect) => dialect.models.rows.map((row) => ({ dialect, row })));

  test.each(rows)('$dialect.name, $row.type $row.match.0', ({ dialect, row }) => {
    const model = (row.match[0] ?? '').replaceAll('*', 'x');
    const plan = planOf(dialect.models, row.type, unroutedEntry('p', model));
    expect(dropped(row.type, plan).slice(0, 2)).toEqual([]);
  });

  const types = ['video', 'image'] as const;
  test.each(described.flatMap((dialect) => types.map((type) => ({ dialect, type }))))(
    'an own package $dialect.name, $type',
    ({ dialect, type }) => {
      const values = Object.values(parameterTables[type]).flatMap(({ support, ...row }) =>
        support === null
          ? []
          : [
              [
                support.name,
                row.kind === 'choice' ? row.values : row.kind === 'fraction' ? row.range : true,
              ],
            ],
      );
      const does = {
        ...(Object.fromEntries(values) as Abilities),
        seconds: { min: 1, max: 15 },
        modes: Object.keys(inputsByMode),
        lastFrame: true,
        references: { image: 1 },
      };
      const plan = planOf(dialect.models, type, { ...unroutedEntry('p', 'x'), does });
      expect(dropped(type, plan).slice(0, 2)).toEqual([]);
    },
  );

  test('only three parameters need no declaration', () => {
    const without = Object.values(parameterTables).flatMap((table) =>
      Object.entries(table).filter(([, { support }]) => support === null),
    );
    expect([...new Set(without.map(([name]) => name))].toSorted()).toEqual(neverDeclared);
  });
});

describe('a parameter that is not sent', () => {
  const whole = mergeSupport(noSupport, {
    modes: Object.keys(inputsByMode),
    seconds: [4, 8],
    resolutions: ['720p', '1080p'],
    aspectRatios: ['16:9', '9:16'],
    audio: true,
    lastFrame: true,
    references: { image: 3, video: 2 },
  });

  test('is not covered', () => {
    expect(coveredBy(whole, standardSend.video)).toEqual(whole);
    expect(coveredBy(whole, {})).toEqual({
      ...whole,
      modes: ['text-to-video'],
      seconds: [],
      resolutions: [],
      aspectRatios: [],
      audio: false,
      lastFrame: false,
      references: { image: 0, video: 0, audio: 0 },
    });
  });

  test('is covered where the model has one value, or always makes it', () => {
    const one = mergeSupport(whole, {
      modes: ['image-to-video'],
      seconds: { min: 6, max: 6 },
      resolutions: ['1080p'],
      aspectRatios: ['16:9'],
      audio: 'always',
    });
    expect(coveredBy(one, { firstFrame: 'image_url' })).toMatchObject({
      modes: ['image-to-video'],
      seconds: [6],
      resolutions: ['1080p'],
      aspectRatios: ['16:9'],
      audio: 'always',
    });
  });

  test.each<[string, SendRules, Abilities]>([
    [
      'values that have no word',
      { resolution: { mode: { '720p': 'std' } } },
      { resolutions: ['720p'] },
    ],
    [
      'more files than a field takes',
      { images: { image_url: '{file}' } },
      { references: { image: 1, video: 0, audio: 0 } },
    ],
    [
      'a ratio next to a size by name',
      { size: { resolution: '{K}' } },
      { resolutions: ['720p', '1080p'], aspectRatios: [] },
    ],
    [
      'no part of a size in two fields',
      { width: 'w', height: 'h' },
      { resolutions: ['720p', '1080p'], aspectRatios: ['16:9', '9:16'] },
    ],
    [
      'no part of a size in words',
      { size: { a: '{ratio}', b: '{K}' } },
      { resolutions: ['720p', '1080p'], aspectRatios: ['16:9', '9:16'] },
    ],
  ])('%s', (_, send, expected) => {
    expect(coveredBy(whole, send)).toMatchObject(expected);
  });

  test('is a ratio that a picture gives anyway', () => {
    const framed = mergeSupport(whole, { modes: ['image-to-video'] });
    expect(coveredBy(framed, {}, true).aspectRatios).toEqual(['16:9', '9:16']);
    expect(coveredBy(whole, {}, true).aspectRatios).toEqual([]);
  });
});

test('a call has every promised value in its field and format', () => {
  const send: SendRules = {
    duration: { 'video.length': '{s}s' },
    resolution: { mode: { '720p': 'std', '1080p': 'pro' } },
    ratio: 'aspect_ratio',
    width: 'video.width',
    audio: { sound: { true: 'on', false: 'off' } },
    seed: '@seed',
    firstFrame: 'start_image_url',
    images: { picture: '{file}' },
    fixed: { video: { watermark: false } },
  };
  const support = { ...noSupport, audio: true };
  const parameters = {
    duration_seconds: 9,
    resolution: '1080p' as const,
    aspect_ratio: '9:16' as const,
    generate_audio: false,
    seed: 7,
    real_person_mode: false,
  };
  const inputs = [
    { ...first, file },
    { ...reference, file },
    { ...reference, file: { ...file, url: 'https://a.example/2.png' } },
  ];
  const plan = { row: null, meant: null, support, send, missing: [] };
  const made = writeCall({ type: 'video', prompt: '', parameters }, inputs, plan);
  expect(made).toMatchObject({
    seed: 7,
    own: {
      video: { length: '9s', width: 1080, watermark: false },
      mode: 'pro',
      aspect_ratio: '9:16',
      sound: 'off',
      start_image_url: file.url,
      picture: file.url,
    },
  });
  expect(made).toMatchObject({ aspectRatio: undefined, image: undefined, resolution: undefined });
});
