import { expect } from '@jest/globals';
import type { Values } from './zap.ts';

/** Zapier's call of the hydrator when a later step takes this file. */
export function hydrated(file: unknown): Values {
  const [, json = ''] = /^hydrate\|\|\|(.*)\|\|\|hydrate$/.exec(String(file)) ?? [];
  const { method, bundle } = JSON.parse(json) as { method: string; bundle: Values };
  expect(method).toBe('hydrators.downloadFile');
  return bundle;
}

/** The type of each field, for comparing a sample with a response. */
export function shape(values: Values): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      Array.isArray(value) ? `list of ${typeof value[0]}` : value === null ? 'null' : typeof value,
    ]),
  );
}
