import { describe, expect, test } from '@jest/globals';
import { Refusal } from '../../../domain/refusal.ts';
import { type CheckedRequest, requireOwnOutputs } from './checkRequest.ts';

type Stores = Parameters<typeof requireOwnOutputs>[0]['database'];
type Input = CheckedRequest['inputs'][number];

const kept = { accountId: 'acct_own', outputsRemovedAt: null, outputs: [{}, {}] };
const generations: Record<string, object> = {
  gen_kept: kept,
  gen_strange: { ...kept, accountId: 'acct_strange' },
  gen_deleted: { ...kept, outputsRemovedAt: 1 },
};
const uploads: Record<string, object> = {
  upl_kept: { accountId: 'acct_own', key: 'a' },
  upl_strange: { accountId: 'acct_strange', key: 'a' },
  upl_deleted: { accountId: 'acct_own', key: null },
};
const database = {
  generations: { findView: async (id: string) => generations[id] ?? null },
  uploads: { find: async (id: string) => uploads[id] ?? null },
} as unknown as Stores;

const output = (generationId: string, index = 0) => ({ ownOutput: { generationId, index } });
const upload = (ownUpload: string) => ({ ownUpload });

/** The refused params; empty if none. */
async function refusedOf(...inputs: object[]): Promise<string[]> {
  const request = { inputs: inputs as Input[] } as CheckedRequest;
  try {
    await requireOwnOutputs({ database }, 'acct_own', request);
    return [];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    expect(error.code).toBe('input_url_invalid');
    expect(error.param).toBe(error.details[0]?.param);
    return error.details.map(({ param }) => param);
  }
}

describe('outputs and uploads as inputs', () => {
  test('of the account itself that still exist are accepted, as are other URLs', async () => {
    const inputs = [output('gen_kept'), output('gen_kept', 1), upload('upl_kept'), {}];
    expect(await refusedOf(...inputs)).toEqual([]);
  });

  test.each([
    ['an output of another account', output('gen_strange')],
    ['an output that was deleted', output('gen_deleted')],
    ['an output of no generation', output('gen_none')],
    ['an output beyond the last', output('gen_kept', 2)],
    ['an upload of another account', upload('upl_strange')],
    ['an upload that was deleted', upload('upl_deleted')],
    ['no upload', upload('upl_none')],
  ])('%s is refused', async (_, input) => {
    expect(await refusedOf(output('gen_kept'), input)).toEqual(['inputs[1].url']);
  });

  test('names every unusable one', async () => {
    const inputs = [output('gen_strange'), upload('upl_kept'), upload('upl_deleted')];
    expect(await refusedOf(...inputs)).toEqual(['inputs[0].url', 'inputs[2].url']);
  });
});
