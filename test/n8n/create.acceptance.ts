import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { TestAccount } from '../support/gateway.ts';
import type { NodeError } from './support/builtNode.ts';
import { runNode } from './support/runNode.ts';
import type { RunOptions } from './support/runNode.ts';
import { startFramegate } from './support/startFramegate.ts';
import type { Framegate } from './support/startFramegate.ts';

let framegate: Framegate;
let account: TestAccount;

beforeAll(async () => {
  framegate = await startFramegate();
});
beforeEach(async () => {
  account = await framegate.addAccount();
});
afterEach(() => {
  framegate.line.reset();
  framegate.ark.reset();
});
afterAll(async () => {
  await framegate.stop();
});

const model = (value: string) => ({ __rl: true, mode: 'list', value });

/** Parameters of Video: Create; 12 credits. */
const video = (prompt: string, more: Record<string, unknown> = {}) => ({
  ...{ resource: 'video', operation: 'create', model: model('alpha-2.0-mini'), prompt },
  parameters: { durationSeconds: 4, resolution: '480p' },
  ...more,
});

const run = (params: RunOptions['params'], more: Partial<RunOptions> = {}) =>
  runNode({ baseUrl: framegate.baseUrl, apiKey: account.apiKey, params, ...more });

const failure = async (work: Promise<unknown>): Promise<NodeError> => {
  const outcome = await work.then(
    () => undefined,
    (error: unknown) => error as NodeError,
  );
  if (!outcome) throw new Error('the node did not fail');
  return outcome;
};

const creates = () => framegate.line.seen.filter(({ method }) => method === 'POST');
const keys = () => creates().map(({ headers }) => headers['idempotency-key']);

describe('a video', () => {
  test('is created, waited for and handed on', async () => {
    const [item] = await run(video('a boat'));
    expect(item?.json).toMatchObject({
      ...{ type: 'video', model: 'alpha-2.0-mini', status: 'completed', cost_credits: 12 },
      id: expect.stringMatching(/^gen_/),
      url: expect.stringContaining('.mp4'),
    });
    expect(Object.keys(item?.json ?? {}).length).toBeLessThanOrEqual(10);
    expect(item?.pairedItem).toEqual({ item: 0 });
    expect(await framegate.spent(account)).toBe(12);
  });
});
