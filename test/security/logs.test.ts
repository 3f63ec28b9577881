import { openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createLog } from '../../gateway/src/adapters/system/log.ts';
import { argon2Passwords } from '../../gateway/src/adapters/system/passwords.ts';
import { createAccount } from '../../gateway/src/application/accounts/createAccount.ts';
import { grantCredits } from '../../gateway/src/application/credits/grantCredits.ts';
import { createKey } from '../../gateway/src/application/keys/keys.ts';
import { loadConfig } from '../../gateway/src/config.ts';
import { formatApiKey } from '../../gateway/src/domain/accounts/apiKey.ts';
import { type Gateway, startGateway } from '../../gateway/src/gateway.ts';
import { createVisitor } from '../site/support/visitor.ts';
import { arkRoutes } from '../support/arkRoutes.ts';
import { imageInput, video } from '../support/bodies.ts';
import { createTestDatabase } from '../support/database.ts';
import { type FakeArk, startFakeArk } from '../support/fakeArk/fakeArk.ts';
import { freePort } from '../support/freePort.ts';
import { requests } from '../support/gateway.ts';
import { temporaryFolder } from './temporaryFolder.ts';

/*
 * The attack: whoever reads the logs (a log service, support, a thief) gets keys, prompts or signed
 * addresses. A whole run is logged at its most talkative, with planted secrets on every path, and none
 * may be found; nor in the process list.
 */

const planted = {
  prompt: 'PLANTEDPROMPT a woman with a scar',
  refusedPrompt: 'PLANTEDREFUSED prompt that the provider quotes',
  forbiddenPrompt: 'PLANTEDFORBIDDEN words about a pipe bomb',
  faultyPrompt: 'PLANTEDFAULTY prompt in a broken response',
  urlToken: 'PLANTEDTOKEN0123456789',
  pathSecret: 'PLANTEDPATH',
  consent: 'PLANTEDCONSENT-77',
  idempotencyKey: 'PLANTEDIDEMPOTENCY',
  password: 'PLANTEDPASSWORD correct horse',
  providerKey: 'PLANTEDPROVIDERKEY',
  pepper: 'PLANTEDPEPPER'.padEnd(40, 'x'),
  signingKey: 'PLANTEDSIGNINGKEY'.padEnd(40, 'x'),
  sessionKey: 'PLANTEDSESSIONKEY'.padEnd(40, 'x'),
  query: 'PLANTEDQUERY',
  cookie: 'PLANTEDCOOKIE',
  header: 'PLANTEDHEADER',
  wrongKey: formatApiKey(new Uint8Array(64).fill(7)),
};

const folder = temporaryFolder();
const database = createTestDatabase();
let ark: FakeArk;
let gateway: Gateway;
let apiKey = '';
let signature = '';
let refusedRequestId = '';
beforeAll(async () => {
  ark = await startFakeArk({ apiKey: planted.providerKey });
  const refusal = { status: 400, code: 'InputTextSensitiveContentDetected' };
  const quoting = (prompt: string) => `"${prompt}" with key ${planted.providerKey}`;
  ark.script(
    {
      on: 'submit' as const,
      prompt: 'PLANTEDREFUSED',
      fault: { kind: 'error', ...refusal, message: quoting(planted.refusedPrompt) },
    },
    {
      on: 'submit' as const,
      prompt: 'PLANTEDFAULTY',
      fault: { kind: 'json', status: 500, body: { what: quoting(planted.faultyPrompt) } },
    },
  );
  const routes = await arkRoutes(folder(), ark);
  const rules = [{ name: 'weapons of the operator', words: ['pipe bomb'] }];
  writeFileSync(join(folder(), 'safety.json'), JSON.stringify({ rules }));
  const config = loadConfig({
    ...routes,
    MONGODB_URI: database.uri,
    DATA_DIR: folder(),
    PORT: String(await freePort()),
    KEY_PEPPERS: `1:${planted.pepper}`,
    MEDIA_SIGNING_KEYS: `1:${planted.signingKey}`,
    SESSION_KEYS: `1:${planted.sessionKey}`,
    SAFETY_FILE: join(folder(), 'safety.json'),
  });
  writeFileSync(join(folder(), 'log'), '');
  const log = createLog('debug', openSync(join(folder(), 'log'), 'a'));
  gateway = await startGateway(config, { log });
  await run();
  await gateway.stop();
  // A warning is written immediately, with all lines before it.
  log.warn({}, 'the run is over');
}, 120_000);
afterAll(async () => {
  await ark.close();
  await database.drop();
});

async function run(): Promise<void> {
  const { database: stores, clock } = gateway.database;
  const deps = { database: stores, clock, random: gateway.random, passwords: argon2Passwords };
  const { id: accountId } = await createAccount(deps, {
    email: 'planted@example.com',
    password: planted.password,
    isVerified: true,
    staffRole: null,
  });
  const grant = { accountId, amountCredits: 10_000, kind: 'purchased' as const };
  await grantCredits(deps, { ...grant, expiresAt: null, reason: null });
  const command = { accountId, name: 'logs', hosts: ['nowhere.example'], models: [] };
  const made = await createKey({ ...deps, pepper: gateway.pepper }, command);
  ({ apiKey } = made);
  const origin = gateway.url ?? '';
  const { get, post, untilEnded } = requests(origin, apiKey);
  const idempotency = { 'idempotency-key': planted.idempotencyKey };
  const input = `https://nowhere.example/${planted.pathSecret}.png?token=${planted.urlToken}`;
  const bodies = [
    video({ prompt: planted.prompt }),
    video({ prompt: planted.refusedPrompt }),
    video({ prompt: planted.faultyPrompt }),
    video({
      prompt: planted.prompt,
      model: 'alpha-2.0-pro',
      mode: 'image-to-video',
      inputs: [imageInput(input)],
      parameters: { real_person_mode: true },
      compliance: { rights_confirmed: true, consent_reference: planted.consent },
    }),
  ];
  for (const [index, body] of bodies.entries()) {
    const created = await post('/v1/videos', body, index === 0 ? idempotency : {});
    expect(created.status).toBe(202);
    const ended = await untilEnded(String(created.json['id']));
    const output = ended['output'] as { video_url: string } | undefined;
    if (index > 0) continue;
    const url = new URL(output?.video_url ?? '');
    signature = url.search.slice(1);
    expect((await fetch(url)).status).toBe(200);
    expect((await fetch(`${url.origin}${url.pathname}?x=${planted.query}`)).status).toBe(403);
  }
  // Requests that are refused, each with something planted.
  await post('/v1/videos', { ...bodies[0], prompt: planted.prompt, unknown: planted.query });
  await post('/v1/videos', `{"prompt": "${planted.prompt}`);
  await post('/v1/videos', bodies[1], idempotency);
  const forbidden = await post('/v1/videos', video({ prompt: planted.forbiddenPrompt }));
  expect(forbidden.status).toBe(422);
  refusedRequestId = forbidden.headers.get('x-request-id') ?? '';
  await get(`/v1/models?api_key=${planted.query}`, { cookie: `a=${planted.cookie}` });
  await get(`/v1/generations/${planted.query}`, { 'x-anything': planted.header });
  await fetch(`${origin}/${planted.query}?token=${planted.urlToken}`);
  await fetch(`${origin}/v1/models`, { headers: { authorization: `Bearer ${planted.wrongKey}` } });
  const visitor = createVisitor(origin);
  const fields = { email: 'planted@example.com', password: planted.password };
  await visitor.get('/sign-in');
  await visitor.post('/sign-in', { ...fields, password: planted.cookie });
  await visitor.post('/sign-in', fields);
  // A bug's message and fields, as a library might fill them.
  const error = Object.assign(new Error(`failed for ${apiKey} at ${input}`), {
    requestBodyValues: { prompt: planted.prompt },
    cause: new Error(`Bearer ${planted.providerKey}`),
  });
  const log = createLog('debug', openSync(join(folder(), 'log'), 'a'));
  log.error({ error, deep: { request: { headers: { authorization: apiKey } } } }, 'bug');
  log.warn({ where: `mongodb://root:${planted.password.split(' ')[0]}@db.example/x` }, apiKey);
}

const logged = () => readFileSync(join(folder(), 'log'), 'utf8');

describe('the logs of a whole run', () => {
  test('record events in JSON, with ids for tracing them', () => {
    const lines = logged().trim().split('\n');
    const entries = lines.map((line) => JSON.parse(line) as { msg: string; requestId?: string });
    const messages = entries.map(({ msg }) => msg);
    expect(messages).toEqual(expect.arrayContaining(['request', 'generation ended', 'bug']));
    expect(messages).toContain('the run is over');
    const request = entries.find(({ msg }) => msg === 'request');
    expect(request).toMatchObject({
      requestId: expect.stringMatching(/^req_/),
      time: expect.anything(),
      from: '127.0.0.1',
    });
  });

  test('name each sign-in of a customer, with its origin and method', () => {
    const lines = logged().trim().split('\n');
    const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const whence = {
      requestId: expect.stringMatching(/^req_/),
      accountId: expect.stringMatching(/^acct_/),
      from: '127.0.0.1',
    };
    expect(entries.filter(({ msg }) => /^sign(ed |-)in/.test(String(msg)))).toEqual([
      expect.objectContaining({ ...whence, entryPoint: 'site', outcome: 'password' }),
      expect.objectContaining({ ...whence, msg: 'signed in', by: 'password' }),
    ]);
  });

  test('name the safety rule that refused a prompt, and for whom', () => {
    const lines = logged().trim().split('\n');
    const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(entries.filter(({ msg }) => msg === 'safety rule refused a prompt')).toEqual([
      expect.objectContaining({
        requestId: refusedRequestId,
        safetyRule: 'weapons of the operator',
        accountId: expect.stringMatching(/^acct_/),
        keyId: expect.stringMatching(/^key_/),
      }),
    ]);
    expect(refusedRequestId).toMatch(/^req_/);
    expect(logged()).not.toContain('pipe bomb');
  });

  test.each(Object.entries(planted))('hold no %s', (_name, secret) => {
    for (const part of [secret, secret.split(' ')[0] ?? secret]) {
      expect(
        logged()
          .split('\n')
          .find((line) => line.includes(part)),
      ).toBeUndefined();
    }
  });

  test('hold no API key and no signature of a file', () => {
    expect(signature).toMatch(/=/);
    expect(logged()).not.toContain(apiKey);
    expect(logged()).not.toContain(apiKey.slice(-20));
    for (const part of signature.split('&')) {
      const value = part.split('=')[1] ?? '';
      if (value.length > 12) expect(logged()).not.toContain(value);
    }
  });
});

test('the process list contains no secret', () => {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const lines = processes.map((id) => {
    try {
      return readFileSync(`/proc/${id}/cmdline`, 'utf8');
    } catch {
      return ''; // It has ended in the meantime.
    }
  });
  expect(lines.join('\n')).not.toMatch(/PLANTED/);
  expect(lines.join('\n')).not.toContain(apiKey);
});
