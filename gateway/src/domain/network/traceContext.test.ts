import { expect, test } from '@jest/globals';
import { parseTraceparent } from './traceContext.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';

test('a traceparent is read', () => {
  const text = `00-${traceId}-${spanId}-01`;
  expect(parseTraceparent(text)).toEqual({ traceId, spanId, isSampled: true });
  expect(parseTraceparent(`00-${traceId}-${spanId}-02`)).toMatchObject({ isSampled: false });
});

test('a later version may have more fields', () => {
  expect(parseTraceparent(`01-${traceId}-${spanId}-01-more`)).toMatchObject({ traceId });
});

test.each([
  '',
  'nonsense',
  `00-${traceId}-${spanId}`,
  `00-${traceId.toUpperCase()}-${spanId}-01`,
  `00-${'0'.repeat(32)}-${spanId}-01`,
  `00-${traceId}-${'0'.repeat(16)}-01`,
  `00-${traceId}-${spanId}-01-more`,
  `ff-${traceId}-${spanId}-01`,
  `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`,
])('%j is ignored', (text) => {
  expect(parseTraceparent(text)).toBeNull();
});
