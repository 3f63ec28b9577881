import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Exchange } from './exchanges.ts';
import { reportedFigures } from './modelOutputs.ts';

const answered = (body: unknown): Exchange[] => [
  {
    method: 'GET',
    host: 'provider.example',
    isSent: true,
    status: 200,
    failure: null,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  },
];
const reported = (handedOver: Parameters<typeof reportedFigures>[0], body: unknown = '') =>
  reportedFigures(handedOver, answered(body), 'a-key').reported;

describe('the report of a provider', () => {
  test('is its usage and metadata, and the parts of its response that are named as figures', () => {
    const metadata = { xai: { costInUsdTicks: 12, seed: 7, note: 'made by us' } };
    expect(reported({ usage: { inputTokens: 3 }, providerMetadata: metadata })).toBe(
      '{"usage":{"inputTokens":3},"metadata":{"xai":{"costInUsdTicks":12}}}',
    );
    expect(reported(null, { id: 7, status: 'failed', usage: { completion_tokens: 108_900 } })).toBe(
      '{"response":{"usage":{"completion_tokens":108900}}}',
    );
    expect(reported(null, { output: { cost: '0.04' }, metrics: { predict_time: 1.5 } })).toBe(
      '{"response":{"cost":"0.04","metrics":{"predict_time":1.5}}}',
    );
    expect([reported(null, '<html>'), reported(null, { id: 1 }), reported(null)]).toEqual([
      ...[undefined, undefined, undefined],
    ]);
  });

  test('never holds words, the key or a credential, and is bounded', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
        const found = reported(
          { usage: { 'a-key': 1, prompt: 'a secret lake', value }, providerMetadata: { value } },
          { usage: { api_key: '123456', revised_prompt: '42', value } },
        );
        expect(found).not.toMatch(/lake|a-key|123456|"42"/);
        expect(found?.length ?? 0).toBeLessThanOrEqual(2_000);
      }),
    );
    const many = Object.fromEntries(
      Array.from({ length: 999 }, (_, index) => [`n${index}`, index]),
    );
    const kept = JSON.parse(reported({ usage: many }) ?? '') as { usage: object };
    expect(Object.keys(kept.usage)).toHaveLength(60);
    const long = { usage: { ['a'.repeat(61)]: 1 } };
    expect(reported(long)).toBeUndefined();
  });
});
