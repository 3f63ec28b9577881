import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLedgerAudit } from '../../gateway/src/adapters/mongo/credits/ledgerAudit.ts';
import { verifyLedger } from '../../gateway/src/application/credits/audit/verifyLedger.ts';
import { startTestGateway, type TestAccount, type TestGateway } from '../support/gateway.ts';
import { runProgram } from '../support/runProgram.ts';
import { findSchemathesis } from './schemathesis.ts';
import { temporaryFolder } from './temporaryFolder.ts';

/*
 * Requests made from our own OpenAPI document, valid and invalid, single and in sequences. No response may be a
 * 5xx, differ from the document, accept a request that the document forbids, or let anyone in without a key.
 */

const seconds = 90;
const folder = temporaryFolder();
let gateway: TestGateway;
let account: TestAccount;
beforeAll(async () => {
  // Without a worker: generations stay queued, and the fuzzer has the machine to itself.
  gateway = await startTestGateway({ ROLE: 'api' });
  account = await gateway.addAccount({
    credits: 1_000_000_000,
    hosts: ['media.example.com'],
    limits: { waiting: 1_000_000_000 },
  });
});
afterAll(() => gateway.stop());

/**
 * The key is passed in a file, not in the process list. The statuses may refuse requests of a valid shape: the
 * parameters of a model, the hosts of a key, an earlier body under the same Idempotency-Key and the remaining
 * credits are rules beyond any JSON schema; each has a code in the catalogue.
 */
const settings = (apiKey: string) => `
headers = { Authorization = "Bearer ${apiKey}" }
[checks.positive_data_acceptance]
expected-statuses = ["2xx", 400, 402, 403, 404, 422, 429]
`;

test('schemathesis finds nothing', async () => {
  const config = join(folder(), 'schemathesis.toml');
  writeFileSync(config, settings(account.apiKey), { mode: 0o600 });
  const { status, output } = await runProgram(await findSchemathesis(), [
    ...['--config-file', config, 'run', `${gateway.origin}/v1/openapi.json`],
    ...['--url', `${gateway.origin}/v1`, '--max-time', String(seconds), '--max-examples', '60'],
    ...['--seed', '8', '--generation-database', 'none', '--no-color'],
  ]);
  const summary = output.slice(Math.max(0, output.indexOf('= SUMMARY =')));
  process.stdout.write(`${summary}\n`);
  expect({ status, output: status === 0 ? '' : output }).toEqual({ status: 0, output: '' });
  const generated = Number(/(\d+) generated/.exec(output)?.[1]);
  expect(generated).toBeGreaterThan(500);
  expect(gateway.errors).toEqual([]);
  const { client, collections } = gateway;
  const ledgerAudit = createLedgerAudit(client, collections);
  expect((await verifyLedger({ ledgerAudit })).problems).toEqual([]);
});
