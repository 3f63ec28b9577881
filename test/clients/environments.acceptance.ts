import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { projectRoot } from '../support/runNode.ts';
import { runProgram } from '../support/runProgram.ts';

/* Settings of the machine that Node reads by itself: the table that all clients hold. */

interface Row {
  case: string;
  netrc?: string;
  env: Record<string, string>;
  ends: { node: 'response' | 'connection' };
}
const table = JSON.parse(
  readFileSync(join(import.meta.dirname, 'environments.json'), 'utf8'),
) as Row[];

const apiKey = `fg_live_${'a1B2'.repeat(9)}zz`;
const home = mkdtempSync(join(tmpdir(), 'home-'));
const keys = new Set<string | undefined>();
let server: Server;
let base: Record<string, string>;

beforeAll(async () => {
  server = createServer(({ headers, method }, response) => {
    keys.add(headers.authorization);
    // An order of the AI SDK ends here.
    if (method === 'POST') response.statusCode = 402;
    const balance = { object: 'credit_balance', available: 1, in_flight: 0 };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(balance));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { PATH = '' } = process.env;
  base = { PATH, FRAMEGATE_URL: `http://127.0.0.1:${port}/v1`, FRAMEGATE_KEY: apiKey, HOME: home };
});
beforeEach(() => keys.clear());
afterAll(() => {
  rmSync(home, { recursive: true });
  server.close();
});

const source = (file: string) => JSON.stringify(join(projectRoot, 'integrations', file));
const program = `
  const { Framegate, ConnectionError } = await import(${source('typescript/src/node/index.ts')});
  const { createFramegate } = await import(${source('ai-sdk/src/index.ts')});
  const { balance } = new Framegate({ retryBudgetMs: 0 }).credits;
  const client = balance().then(() => 'response', (error) =>
    error instanceof ConnectionError ? 'connection' : String(error));
  const order = { prompt: 'A kite', n: 1, providerOptions: {} };
  const image = createFramegate().image('image-b-2').doGenerate(order);
  const provider = image.catch(({ statusCode }) => (statusCode === 402 ? 'response' : 'connection'));
  console.log(JSON.stringify(await Promise.all([client, provider])));`;

test.each(table)('$case', async ({ netrc = '', env, ends: { node: end } }) => {
  writeFileSync(join(home, '.netrc'), netrc, { mode: 0o600 });
  const options = { env: { ...base, ...env } };
  const main = join(projectRoot, 'integrations/typescript/src/cli/main.ts');
  const [inProgram, inShell] = await Promise.all([
    runProgram(process.execPath, ['--input-type=module', '-e', program], options),
    end === 'response' ? runProgram(process.execPath, [main, 'balance'], options) : null,
  ]);
  expect(inProgram.output).toContain(JSON.stringify([end, end]));
  if (inShell) expect(inShell).toMatchObject({ status: 0 });
  for (const key of keys) expect(key).toBe(`Bearer ${apiKey}`);
  expect(keys.size).toBe(end === 'response' ? 1 : 0);
});
