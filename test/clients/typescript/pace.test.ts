import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Framegate, RateLimitError } from '../../../integrations/typescript/src/node/index.ts';
import { limitedService } from '../support/limitedService.ts';
import { passWaits } from '../support/passWaits.ts';
import { generationId } from '../support/wildResponses.ts';

const apiKey = `fg_live_${'a1B2'.repeat(9)}zz`;
const baseUrl = 'https://api.example.com/v1';
const video = { model: 'alpha-2.0-fast', mode: 'text-to-video' as const, prompt: 'A kite' };

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
});
afterEach(() => {
  jest.useRealTimers();
});

/** Outcomes of many calls, with their waits skipped. */
function outcomesOf<T>(count: number, call: (index: number) => Promise<T>) {
  return passWaits(Promise.allSettled(Array.from({ length: count }, (_, index) => call(index))));
}

describe('50 creates at once, at the usual limit of the gateway', () => {
  test.each([
    ['whose rate is told', true],
    ['whose rate is not told', false],
  ])('%s: all are made, with few refusals', async (_, tellsRate) => {
    const { fetch, creates } = limitedService({ tellsRate });
    const framegate = new Framegate({ baseUrl, apiKey, platform: { fetch } });
    const outcomes = await outcomesOf(50, () => framegate.videos.create(video));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(50);
    expect(creates.length).toBeLessThanOrEqual(70);
  });
});

test('once its burst is used up, requests go out one at a time, and none before its time', async () => {
  const { fetch, creates } = limitedService();
  const framegate = new Framegate({ baseUrl, apiKey, platform: { fetch } });
  await outcomesOf(30, () => framegate.videos.create(video));
  const refused = creates.findIndex(({ isTaken }) => !isTaken);
  const later = creates.filter(({ at }) => at >= (creates[refused]?.at ?? 0) + 1000);
  const gaps = later.slice(1).map(({ at }, index) => at - (later[index]?.at ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1000);
  expect(later.every(({ isTaken }) => isTaken)).toBe(true);
});

test('a limit on creates delays no reads', async () => {
  const { fetch, creates, reads } = limitedService();
  const framegate = new Framegate({ baseUrl, apiKey, platform: { fetch } });
  await outcomesOf(30, async (index) => {
    if (index < 25) await framegate.videos.create(video);
    else await framegate.generations.get(generationId);
  });
  expect(reads).toHaveLength(5);
  expect(Math.max(...reads)).toBeLessThan(creates.at(-1)?.at ?? 0);
});

test('a call whose turn comes too late is refused in the words of the service, and not sent', async () => {
  const { fetch, creates } = limitedService();
  const framegate = new Framegate({ baseUrl, apiKey, retryBudgetMs: 15_000, platform: { fetch } });
  const outcomes = await outcomesOf(60, () => framegate.videos.create(video));
  const failures = outcomes.flatMap((each) =>
    each.status === 'rejected' ? [each.reason as RateLimitError] : [],
  );
  expect(failures.length).toBeGreaterThan(20);
  for (const error of failures) {
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ code: 'rate_limited', mayHaveCreated: false, retryable: true });
    expect(error.idempotencyKey).toBeDefined();
  }
  expect(creates.length).toBeLessThan(60);
});

test('an unused limit is forgotten after a minute', async () => {
  const { fetch, creates } = limitedService();
  const framegate = new Framegate({ baseUrl, apiKey, platform: { fetch } });
  await outcomesOf(20, () => framegate.videos.create(video));
  await jest.advanceTimersByTimeAsync(61_000);
  const before = creates.length;
  const startedAt = Date.now();
  await outcomesOf(10, () => framegate.videos.create(video));
  const later = creates.slice(before);
  expect(later).toHaveLength(10);
  expect((later.at(-1)?.at ?? 0) - startedAt).toBeLessThan(1000);
});
