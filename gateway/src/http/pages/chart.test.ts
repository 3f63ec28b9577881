import { expect, test } from '@jest/globals';
import { lineChart } from './chart.ts';

test('an isolated value is drawn as a dot', () => {
  const series = [{ name: 'p50', tone: 'accent', values: [null, 5, null] }];
  const { markup } = lineChart({ series, columns: ['a', 'b', 'c'], summary: 'Latency' });
  expect(markup).toContain('<path class="accent" d="M15,16.67h0" />');
});
