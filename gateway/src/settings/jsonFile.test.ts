import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { linesOf, repeatedNames, withLines } from './jsonFile.ts';

test('reports every duplicate name with its path', () => {
  const text = `{
    "providers": { "fal": { "a": "}" }, "fal": { "a": 1, "\\u0061": 2 } },
    "models": { "alpha-2.0": [{ "x": ["x", "x"], "y": "x" }, { "x": 1, "x": 2 }] },
    "models": {}
  }`;
  expect(repeatedNames(text)).toEqual([
    'providers.fal appears twice.',
    'providers.fal.a appears twice.',
    'models["alpha-2.0"][1].x appears twice.',
    'models appears twice.',
  ]);
});

test('finds none in JSON written by programs', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(repeatedNames(JSON.stringify(JSON.parse(text), null, 1))).toEqual([]);
    }),
  );
});

test('names the line of every member, with strings that look like structure', () => {
  const text = '{ "a": "\\"{\\n",\n "b-c": [1,\n { "d": 2 } ] }';
  expect([...linesOf(text)]).toEqual([
    ['a', 1],
    ['["b-c"]', 2],
    ['["b-c"][1].d', 3],
  ]);
});

test('puts the line of the nearest known part before each problem', () => {
  const lines = linesOf('{\n "models": {\n  "beta": { "n": 0 },\n  "beta-2": [{}, {}]\n } }');
  const problems = [
    'models.beta.n must be at least 1.',
    'models.beta.prompt is required.',
    'models["beta-2"][1] has no provider.',
    'providers is required.',
  ];
  expect(withLines({ path: '/etc/framegate/routes.json', lines }, problems)).toEqual([
    'routes.json:3: models.beta.n must be at least 1.',
    'routes.json:3: models.beta.prompt is required.',
    'routes.json:4: models["beta-2"][1] has no provider.',
    'providers is required.',
  ]);
});
