import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { childrenMb } from '../../gateway/media/src/mediaSlots.ts';
import { readText } from './support/deployFiles.ts';

/** Memory of the process itself, without its children: 400 MB were measured of a worker, 250 of an API. */
const processMb = 500;

/** Converts quantities such as `2304Mi`, `6Gi`, `2304m` (Compose) and `6g` to mebibytes. */
function mebibytes(limit: string): number {
  const [, count = '', unit = ''] = /^(\d+)([GM])i?$/i.exec(limit) ?? [];
  return Number(count) * (unit.toUpperCase() === 'G' ? 1024 : 1);
}

interface Values {
  api: { resources: { limits: { memory: string } } };
  worker: { resources: { limits: { memory: string } } };
}
const values = parse(readText('deploy/helm/framegate/values.yaml')) as Values;
const compose = parse(readText('compose.yaml'), { merge: true }) as {
  services: Record<'api' | 'worker', { mem_limit: string }>;
};

describe.each(['api', 'worker'] as const)(
  'a container of role %s, with every place taken',
  (role) => {
    test.each([
      ['the chart', values[role].resources.limits.memory],
      ['Compose', compose.services[role].mem_limit],
    ])('stays below the limit of %s', (_name, limit) => {
      expect(processMb + childrenMb[role]).toBeLessThanOrEqual(mebibytes(limit));
    });
  },
);
