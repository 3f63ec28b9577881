import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { setAccountStatus } from '../../gateway/src/application/accounts/accounts.ts';
import { loadConfig } from '../../gateway/src/config.ts';
import { ConfigError } from '../../gateway/src/settings/setting.ts';
import { image, imageInput, video } from '../support/bodies.ts';
import { startTestGateway, type TestAccount, type TestGateway } from '../support/gateway.ts';
import { temporaryFolder } from './temporaryFolder.ts';

/*
 * The attack: a caller gets forbidden content by a different spelling or by requesting other rules. Only the server
 * sets the rules, which apply before any charge.
 */

const folder = temporaryFolder();
const rulesFile = (content: unknown) => {
  const path = join(folder(), 'safety.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};

let gateway: TestGateway;
let account: TestAccount;
beforeAll(async () => {
  const SAFETY_FILE = rulesFile({
    rules: [{ name: 'weapons', words: ['pipe bomb'], patterns: ['\\bnerve (gas|agent)s?\\b'] }],
  });
  gateway = await startTestGateway({ ROLE: 'api', SAFETY_FILE });
  account = await gateway.addAccount({ hosts: ['media.example.com'] });
});
afterAll(() => gateway.stop());

const violation = { code: 'content_policy_violation', param: 'prompt', retryable: false };

describe("the operator's rules", () => {
  test.each([
    ['a video', '/v1/videos', video({ prompt: 'A pipe bomb on a table' })],
    ['an image', '/v1/images', image({ prompt: 'Nerve agents in a glass' })],
    ['look-alike letters', '/v1/videos', video({ prompt: 'А рipe\u200b bоmb' })],
    ['full-width letters', '/v1/images', image({ prompt: 'ＮＥＲＶＥ ｇａｓ' })],
  ])('refuse %s before any charge', async (_name, path, body) => {
    const response = await account.post(path, body);
    expect([response.status, response.json['error']]).toMatchObject([422, violation]);
    expect(response.text).not.toContain('weapons');
    expect((await account.get('/v1/credits/balance')).json).toMatchObject({
      available: 1000,
      in_flight: 0,
    });
  });

  test('also apply in real-person mode, after its own rules', async () => {
    const body = video({
      model: 'alpha-2.0-pro',
      mode: 'image-to-video',
      prompt: 'She holds a pipe bomb',
      inputs: [imageInput()],
      parameters: { real_person_mode: true },
    });
    expect((await account.post('/v1/videos', body)).json['error']).toMatchObject({
      code: 'consent_required',
    });
    const compliance = { rights_confirmed: true, consent_reference: 'c-1' };
    const response = await account.post('/v1/videos', { ...body, compliance });
    expect([response.status, response.json['error']]).toMatchObject([422, violation]);
  });

  test.each([
    ['a field', { safety: 'off' }],
    ['a parameter', { parameters: { safety_filter_level: 'none' } }],
    ["a provider's parameter", { parameters: { person_generation: 'allow_all' } }],
    ['moderation', { moderation: { enabled: false } }],
  ])('cannot be changed by %s of a request', async (_name, fields) => {
    const response = await account.post('/v1/videos', video(fields));
    expect([response.status, response.json['error']]).toMatchObject([
      400,
      { code: 'invalid_request' },
    ]);
  });

  test('cannot be changed by headers or a query', async () => {
    const headers = { 'x-safety': 'off', 'x-moderation': 'none', 'x-http-method-override': 'PUT' };
    const body = video({ prompt: 'pipe bomb' });
    const response = await account.post('/v1/videos?safety=off', body, headers);
    expect([response.status, response.json['error']]).toMatchObject([422, violation]);
  });

  test('do not affect other prompts', async () => {
    expect((await account.post('/v1/videos', video({ prompt: 'A bomb-shaped pipe' }))).status).toBe(
      202,
    );
  });
});

test('a suspended account creates nothing, and reads its generations', async () => {
  const { database } = gateway;
  const other = await gateway.addAccount();
  await setAccountStatus({ database }, { accountId: other.accountId, status: 'suspended' });
  const response = await other.post('/v1/videos', video());
  expect([response.status, response.json['error']]).toMatchObject([
    403,
    { code: 'account_suspended' },
  ]);
  expect((await other.get('/v1/credits/balance')).json).toMatchObject({ available: 1000 });
  await setAccountStatus({ database }, { accountId: other.accountId, status: 'active' });
  expect((await other.post('/v1/videos', video())).status).toBe(202);
});

describe('a rule file that cannot work is refused at start, with its place', () => {
  test.each([
    ['{', /not JSON/],
    [{}, /rules is required/],
    [{ rules: [{ words: ['x'] }] }, /rules\[0\]\.name is required/],
    [{ rules: [{ name: 'a' }] }, /rules\[0\] must contain/],
    [{ rules: [{ name: 'a', words: ['x', 7] }] }, /rules\[0\]\.words\[1\] must be a string/],
    [{ rules: [{ name: 'a', words: ['x'], off: true }] }, /rules\[0\]\.off is not allowed/],
    [{ rules: [{ name: 'a', words: ['!'] }] }, /rules\[0\]\.words\[0\] has no letter/],
    [{ rules: [{ name: 'a', patterns: ['x', '(?=x)'] }] }, /rules\[0\]\.patterns\[1\] is not/],
    [
      {
        rules: [
          { name: 'a', words: ['x'] },
          { name: 'a', words: ['y'] },
        ],
      },
      /rules\[1\] contains a duplicate/,
    ],
  ])('%j', (content, problem) => {
    const load = () => loadConfig({ SAFETY_FILE: rulesFile(content) });
    expect(load).toThrow(ConfigError);
    expect(load).toThrow(problem);
  });
});
