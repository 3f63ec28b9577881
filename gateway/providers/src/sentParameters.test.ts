import { describe, expect, test } from '@jest/globals';
import { parametersOf, usualValues, type Parameter } from '@framegate/contract';
import { describedDialect, testedPackages } from './aiSdk/dialects.ts';
import type { Dialect, ImageOrder, VideoOrder } from './dialect.ts';
import { arkDialect } from './modelArk/arkDialect.ts';
import { covers, leastSupport, mergeSupport, type CoveredRequest } from './routeSupport.ts';
import type { RouteSupport, SupportRow } from './routeSupport.ts';
import { sentSupport } from './sentParameters.ts';

const tested = [...Object.values(testedPackages).map(({ dialect }) => dialect), arkDialect];
const described = (['pixels', 'name'] as const).map((size) =>
  describedDialect(`by ${size}`, { size }),
);

type Values = Record<string, unknown>;

/** Parameters that no dialect declares; the table says why at each. */
const neverDeclared = ['n', 'output_format', 'seed'];
/** A route's own options send it, not the dialect. */
const byOptions = ['real_person_mode'];

const file = { type: 'url', url: 'https://a.example/1.png', mediaType: 'image/png' } as const;
const picture = (role: 'first_frame' | 'reference') => ({ type: 'image', role }) as const;
const inputsByMode = {
  'text-to-video': [],
  'image-to-video': [picture('first_frame')],
  'multimodal-to-video': [picture('reference')],
};

function valuesOf(row: Parameter): readonly unknown[] {
  if (row.kind === 'flag') return [false, true];
  if (row.kind === 'choice') return row.values;
  return Array.from({ length: 15 }, (_, i) => i + 1);
}

/** Every combination of the parameters that a dialect has to send. */
function everyRequest(type: SupportRow['type']): Values[] {
  const isOurs = (name: string) => !neverDeclared.includes(name) && !byOptions.includes(name);
  return Object.entries(parametersOf[type])
    .filter(([name]) => isOurs(name))
    .reduce<Values[]>(
      (all, [name, row]) =>
        all.flatMap((each) => valuesOf(row).map((value) => ({ ...each, [name]: value }))),
      [{ ...usualValues(parametersOf[type]), seed: 1 }],
    );
}

/** Pairs of requests that a route covers although the dialect's calls for them are equal. */
function dropped(dialect: Dialect, type: SupportRow['type'], model: string, support: RouteSupport) {
  const modes = type === 'image' ? [null] : Object.keys(inputsByMode);
  return modes.flatMap((mode) => {
    const inputs = mode === null ? [] : inputsByMode[mode as keyof typeof inputsByMode];
    const first = inputs.some(({ role }) => role === 'first_frame') ? file : undefined;
    const references = inputs.some(({ role }) => role === 'reference') ? [file] : [];
    const seen = new Map<string, Values>();
    return everyRequest(type).flatMap((parameters) => {
      if (!covers(support, { type, mode, inputs, parameters } as unknown as CoveredRequest)) {
        return [];
      }
      const order = { model, support, parameters, references, firstFrame: first } as unknown;
      const call = JSON.stringify(
        type === 'video'
          ? dialect.videoCall(order as VideoOrder)
          : dialect.imageCall(order as ImageOrder),
      );
      const same = seen.get(call);
      seen.set(call, parameters);
      return same === undefined ? [] : [{ mode, same, parameters }];
    });
  });
}

describe('a parameter is sent or not covered', () => {
  const rows = tested.flatMap((dialect) => dialect.table.map((row) => ({ dialect, row })));

  test.each(rows)('$dialect.name, $row.type $row.models.0', ({ dialect, row }) => {
    const { type, does } = row;
    const model = (row.models[0] ?? '').replaceAll('*', 'x');
    const support = sentSupport(dialect, type, model, mergeSupport(leastSupport, does));
    expect(dropped(dialect, type, model, support).slice(0, 2)).toEqual([]);
  });

  const types = ['video', 'image'] as const;
  test.each(described.flatMap((dialect) => types.map((type) => ({ dialect, type }))))(
    'an own package $dialect.name, $type',
    ({ dialect, type }) => {
      // Image calls have no field for the name of a resolution: such a route must name its one resolution.
      const isUntold = type === 'image' && dialect.name === 'by name';
      const declared = { audio: true, ...(isUntold && { resolutions: ['1k'] }) };
      const support = sentSupport(dialect, type, 'x', mergeSupport(leastSupport, declared));
      expect(dropped(dialect, type, 'x', support).slice(0, 2)).toEqual([]);
    },
  );

  test('only three parameters need no declaration', () => {
    const rowsWithout = Object.values(parametersOf).flatMap((table) =>
      Object.entries(table).filter(([, { support }]) => support === null),
    );
    expect([...new Set(rowsWithout.map(([name]) => name))].toSorted()).toEqual(neverDeclared);
  });
});

describe('what an operator declares', () => {
  const withSound = mergeSupport(leastSupport, { audio: true });

  test('is covered if the dialect sends it', () => {
    const [standard] = described;
    if (!standard) throw new Error('no dialect');
    expect(sentSupport(standard, 'video', 'x', withSound)).toEqual(withSound);
  });

  test('is not covered if the dialect cannot send it', () => {
    const { dialect } = testedPackages['@ai-sdk/google'] ?? {};
    if (!dialect) throw new Error('no dialect');
    expect(sentSupport(dialect, 'video', 'x', withSound).audio).toBe(false);
  });
});
