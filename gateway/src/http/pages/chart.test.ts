import { expect, test } from '@jest/globals';
import { barChart, inColours, lineChart } from './chart.ts';

test('an isolated value is drawn as a dot', () => {
  const series = [{ name: 'p50', tone: 'accent', values: [null, 5, null] }];
  const { markup } = lineChart({ series, columns: ['a', 'b', 'c'], summary: 'Latency' });
  expect(markup).toContain('<path class="accent" d="M15,16.67h0" />');
});

test('a name keeps its colour in every chart, and two names of a chart differ', () => {
  const all = ['a', 'b', 'c', 'd', 'e', 'f'];
  const tonesOf = (...names: string[]) => {
    const sums = names.map((name) => ({ name, values: [1] }));
    return Object.fromEntries(
      inColours(sums, all, ['1', '2', '3']).map((each) => [each.name, each.tone]),
    );
  };
  expect(tonesOf('c', 'b')).toEqual({ b: '2', c: '3' });
  expect(tonesOf('b')).toEqual({ b: '2' });
  expect(tonesOf('gone', 'd', 'a')).toEqual({ a: '1', d: '2', gone: '3' });
  expect(tonesOf('e', 'b', 'a', 'c', 'd')).toEqual({ a: '1', b: '2', e: '3', others: 'others' });
});

test('a column names all its values, and the legend the sums', () => {
  const series = ['x', 'y'].map((name, at) => ({ name, tone: 'accent', values: [at, 5] }));
  const { markup } = barChart({ series, columns: ['a', 'b'], summary: 'Both' });
  expect(markup).toContain('<title>a: x 0, y 1</title>');
  expect(markup).toMatch(/x 5<\/span\s*>[^]*y 6<\/span/);
});
