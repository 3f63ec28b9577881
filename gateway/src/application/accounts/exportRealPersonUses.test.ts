import { expect, test } from '@jest/globals';
import type { RealPersonAudit } from '../../domain/generations/realPerson.ts';
import type { Database } from '../ports/database.ts';
import { exportRealPersonUses } from './exportRealPersonUses.ts';

test('a use is read only after the previous one was written, however slowly', async () => {
  const [uses, wasRead] = [1_000, { count: 0 }];
  const audit = {
    id: 'gen_1',
    accountId: 'acct_1',
    keyId: 'key_1',
    model: 'm',
    inputs: [],
    at: 0,
    consentReference: 'release 7',
    policyVersion: '1',
    callerAddress: '192.0.2.1',
  } as unknown as RealPersonAudit;
  async function* listSince(): AsyncGenerator<RealPersonAudit> {
    for (; wasRead.count < uses; wasRead.count += 1) yield audit;
  }
  const database = { realPersonAudit: { listSince } } as unknown as Pick<
    Database,
    'realPersonAudit'
  >;
  let written = 0;
  let ahead = 0;
  await exportRealPersonUses({ database }, 0, async () => {
    await new Promise((resolve) => setImmediate(resolve));
    ahead = Math.max(ahead, wasRead.count - written);
    written += 1;
  });
  expect(written).toBe(uses + 1);
  expect(ahead).toBeLessThanOrEqual(1);
});
