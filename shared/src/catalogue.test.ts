import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { catalogue, findModel } from './catalogue.ts';
import type { VideoModel } from './model.ts';

describe('the catalogue', () => {
  test('allows real-person mode for three models, in the two input modes only', () => {
    const allowed = catalogue.filter(
      (model) => 'realPersonModes' in model && model.realPersonModes.length > 0,
    );
    expect(allowed.map((model) => model.id)).toEqual([
      'alpha-2.0-pro',
      'alpha-2.0-fast',
      'alpha-2.0-mini',
    ]);
    for (const model of allowed) {
      expect((model as VideoModel).realPersonModes).toEqual([
        'image-to-video',
        'multimodal-to-video',
      ]);
    }
  });

  test.each(catalogue)('$id: its defaults are among the values it offers', (model) => {
    expect(model.resolutions).toContain(model.defaults.resolution);
    expect(model.aspectRatios).toContain(model.defaults.aspectRatio);
    expect(model.typicalSeconds).toBeLessThan(model.maxSeconds);
  });

  test('finds nothing by an unknown name', () => {
    expect(findModel('alpha-9')).toBeUndefined();
    expect(findModel('constructor')).toBeUndefined();
  });
});

test("the contract's exports depend on no package", () => {
  const start = fileURLToPath(new URL('./index.ts', import.meta.url));
  const seen = new Set<string>();
  const waiting = [start];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    const folder = dirname(file);
    for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(/ from '([^']+)'/g)) {
      expect(specifier).toMatch(/^\.{1,2}(\/\w+)+\.ts$/);
      waiting.push(resolve(folder, specifier));
    }
  }
  expect(seen.size).toBeGreaterThan(5);
});
