import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { repeatedNames } from './jsonFile.ts';

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

test('JSON written by programs has none', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(repeatedNames(JSON.stringify(JSON.parse(text), null, 1))).toEqual([]);
    }),
  );
});
