import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { N8nWorld } from './support/n8nWorld.ts';
import { items, useN8n } from './support/useN8n.ts';
import { workflow } from './support/workflows.ts';

/* Aftermath of a problem, in real n8n: error outputs, values out of expressions, credential tests. */

/** Parameters of Video: Create, most of them from the row. */
const video = (more: Record<string, unknown> = {}) => ({
  resource: 'video',
  operation: 'create',
  mode: 'text-to-video',
  model: { __rl: true, mode: 'id', value: 'alpha-2.0-mini' },
  prompt: '={{ $json.prompt }}',
  parameters: { durationSeconds: '={{ $json.seconds }}', resolution: '480p' },
  wait: true,
  download: false,
  simplify: true,
  ...more,
});

/** A valid row, and one for each kind of mistake. */
const rows = [
  { sku: 'boat-01', prompt: 'good', seconds: '4', timeout: '300' },
  { sku: 'lamp-02', prompt: 'never ready', seconds: 4, timeout: 2 },
  { sku: 'fern-03', prompt: '', seconds: 4, timeout: 300 },
  { sku: 'rock-04', prompt: 'too long', seconds: 99, timeout: 300 },
  { sku: 'wave-05', prompt: 'breaks', seconds: 4, timeout: 300 },
];
const perRow = video({
  options: { timeoutSeconds: '={{ $json.timeout }}', onTimeout: 'stop' },
});

/** Rows with one invalid option each, and the resulting message. */
const usual = { prompt: 'guarded', seconds: 4, timeout: 600, attempts: 1, max: 100 };
const spoiled = [
  [{ timeout: 'abc' }, 'Timeout (Seconds) must be a number above 0'],
  [{ timeout: '600s' }, 'Timeout (Seconds) must be a number above 0'],
  [{ timeout: null }, 'Timeout (Seconds) has no value'],
  [{ timeout: '' }, 'Timeout (Seconds) has no value'],
  [{ timeout: undefined }, 'Timeout (Seconds) has no value'],
  [{ attempts: 'abc' }, 'Attempts for Failed Generations must be a whole number from 1 to 5'],
  [{ attempts: 100 }, 'Attempts for Failed Generations must be a whole number from 1 to 5'],
  [{ max: undefined }, 'Maximum Credits has no value'],
  [{ max: null }, 'Maximum Credits has no value'],
  [{ max: '' }, 'Maximum Credits has no value'],
  [{ max: 0 }, 'Maximum Credits must be a number above 0'],
  [{ seconds: '4 s' }, 'Duration (Seconds) must be a whole number'],
] as const;
const spoiledOptions = {
  timeoutSeconds: '={{ $json.timeout }}',
  attempts: '={{ $json.attempts }}',
  maxCredits: '={{ $json.max }}',
};

const onError = (value: string) => ({ node: { onError: value } });

const workflows = [
  workflow('errorOutput', rows, perRow, {
    ...onError('continueErrorOutput'),
    outputs: ['Made', 'Not made'],
  }),
  workflow('errorsContinue', rows, perRow, onError('continueRegularOutput')),
  workflow(
    'spoiledOptions',
    spoiled.map(([more]) => ({ ...usual, ...more })),
    video({ options: spoiledOptions }),
    onError('continueRegularOutput'),
  ),
  workflow(
    'textValues',
    [{ prompt: 42, seconds: '4', audio: 'yes' }],
    video({
      model: { __rl: true, mode: 'id', value: 'alpha-2.0-fast' },
      parameters: {
        durationSeconds: '={{ $json.seconds }}',
        resolution: '480p',
        generateAudio: '={{ $json.audio }}',
      },
      wait: '={{ "no" }}',
    }),
  ),
  workflow('estimates', [{ seconds: 4 }, { seconds: '8' }], video({ operation: 'estimatePrice' })),
];

/** The HTTP Request node with the credential: to the gateway by the credential's host name, and by another. */
function direct(baseUrl: string) {
  const own = `${baseUrl}/credits/balance`;
  const parameters = {
    url: '={{ $json.url }}',
    authentication: 'predefinedCredentialType',
    nodeCredentialType: 'framegateApi',
    options: {},
  };
  const node = { type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2, parameters };
  const ownRows = [{ url: own }, { url: own.replace('127.0.0.1', 'localhost') }];
  return workflow('direct', ownRows, {}, { node: { ...node, onError: 'continueRegularOutput' } });
}

const world = useN8n(workflows, undefined, ({ n8n, framegate: { baseUrl } }) =>
  n8n.addWorkflow(direct(baseUrl)),
);
let { framegate, account, n8n } = {} as N8nWorld;
beforeAll(() => {
  ({ framegate, account, n8n } = world());
});

const posts = () => framegate.line.seen.filter(({ method }) => method === 'POST');

/** One video never ends and one fails; the others end well. */
function scriptRows(): void {
  const error = { code: 'InternalServiceError', message: 'no' };
  framegate.ark.script({ on: 'task', prompt: 'never ready', plan: { polls: 0, end: 'never' } });
  framegate.ark.script({ on: 'task', prompt: 'breaks', plan: { polls: 0, end: 'failed', error } });
}

const paid = {
  generation_id: expect.stringMatching(/^gen_/),
  status_url: expect.stringMatching(/\/v1\/generations\/gen_/),
};

describe('failed items', () => {
  test('leave by the error output with their row, the generation and the advice', async () => {
    scriptRows();
    const execution = await n8n.runToEnd('errorOutput');
    expect(execution).toMatchObject({ status: 'success' });
    expect(items(execution, 'Made').map(({ json }) => json['status'])).toEqual(['completed']);
    const wrong = items(execution, 'Not made').map(({ json }) => json);
    expect(wrong.map(({ sku }) => sku)).toEqual(['lamp-02', 'fern-03', 'rock-04', 'wave-05']);
    for (const { prompt, error, details } of wrong) {
      expect([prompt, error, details]).toEqual([
        ...[expect.any(String), expect.any(String)],
        expect.objectContaining({ description: expect.any(String) }),
      ]);
    }
    const [slow, empty, long, failed] = wrong;
    expect(slow?.['details']).toMatchObject({
      ...paid,
      timed_out: true,
      generation_status: expect.stringMatching(/^(queued|processing)$/),
      description: expect.stringContaining('resume it with Generation > Wait'),
    });
    expect(empty?.['error']).toBe('Prompt has no value');
    expect(long).toMatchObject({
      error: expect.stringMatching(/^Duration \(Seconds\): /),
      details: { code: 'invalid_request', request_id: expect.stringMatching(/^req_/) },
    });
    expect(failed?.['details']).toMatchObject({
      ...paid,
      code: 'generation_failed',
      refunded_credits: 12,
    });
  });

  test('are handed on in their place with On Error = Continue', async () => {
    scriptRows();
    const execution = await n8n.runToEnd('errorsContinue');
    expect(execution).toMatchObject({ status: 'success' });
    const all = items(execution);
    expect(all.map(({ pairedItem }) => pairedItem)).toEqual(rows.map((_, item) => ({ item })));
    expect(all.map(({ json }) => Object.keys(json))).toEqual([
      expect.arrayContaining(['id', 'status', 'url']),
      ...rows.slice(1).map(() => ['error', 'details']),
    ]);
    expect(all[1]?.json['details']).toMatchObject(paid);
  });
});

describe('values from expressions', () => {
  test('that are invalid are refused by name before anything is created', async () => {
    const execution = await n8n.runToEnd('spoiledOptions');
    expect(items(execution).map(({ json }) => json['error'])).toEqual(
      spoiled.map(([, message]) => message),
    );
    expect(posts()).toEqual([]);
  });

  test('that are text are converted for their field', async () => {
    const execution = await n8n.runToEnd('textValues');
    expect(items(execution)[0]?.json).toMatchObject({ status: 'queued', cost_credits: 25 });
    expect(posts().map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      {
        model: 'alpha-2.0-fast',
        mode: 'text-to-video',
        prompt: '42',
        parameters: { duration_seconds: 4, resolution: '480p', generate_audio: true },
      },
    ]);
  });
});

test('Estimate Price gives each price and reads the models once', async () => {
  const execution = await n8n.runToEnd('estimates');
  expect(items(execution).map(({ json }) => json['cost_credits'])).toEqual([12, 24]);
  expect(framegate.line.seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /v1/models',
  ]);
});

describe('the test of a credential names the problem', () => {
  async function said(data: { baseUrl: string; apiKey: string }): Promise<string> {
    const type = 'framegateApi';
    const credentials = { id: '', name: 'Framegate account', type, data };
    const response = await n8n.request('POST', '/credentials/test', { credentials });
    const { status, message } = response as { status: string; message: string };
    return `${status}: ${message}`;
  }
  /** Responses to requests for the balance, on which a key is tested. */
  const tested = () =>
    new Set(
      framegate.line.seen
        .filter(({ path }) => path === '/v1/credits/balance')
        .map(({ status }) => status),
    );

  test('nothing', async () => {
    const { baseUrl } = framegate;
    for (const entered of [baseUrl, `${baseUrl}/`, ` ${baseUrl.replace('/v1', '')} `]) {
      expect(await said({ baseUrl: entered, apiKey: account.apiKey })).toMatch(/^OK: /);
    }
    expect(tested()).toEqual(new Set([200]));
  });

  test('the key', async () => {
    const { baseUrl } = framegate;
    expect(await said({ baseUrl, apiKey: `fg_live_${'x'.repeat(38)}` })).toBe(
      "Error: This API key is not valid. Copy it again, or create a new one on your account's API keys page.",
    );
    expect(tested()).toEqual(new Set([401]));
  });

  test('the address', async () => {
    const { apiKey } = account;
    const elsewhere = `${framegate.baseUrl.replace('/v1', '')}/elsewhere/v1`;
    expect(await said({ baseUrl: elsewhere, apiKey })).toMatch(
      /^Error: Framegate was not found at this Base URL\./,
    );
    expect(await said({ baseUrl: 'media.example.com', apiKey })).toMatch(
      /^Error: .*not a valid URL/,
    );
  });

  test('an address that would expose the key', async () => {
    const { apiKey } = account;
    expect(await said({ baseUrl: 'http://media.example.com/v1', apiKey })).toMatch(
      /^Error: .*must begin with https:\/\//,
    );
  });

  test('an address with another server', async () => {
    const other = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ hello: 'world' }));
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const baseUrl = `http://127.0.0.1:${port}/v1`;
    expect(await said({ baseUrl, apiKey: account.apiKey })).toMatch(
      /^Error: Something other than Framegate responds at this Base URL\./,
    );
    other.closeAllConnections();
    await new Promise((resolve) => other.close(resolve));
  });
});

test('the HTTP Request node sends the key to the server of the credential only', async () => {
  const execution = await n8n.runToEnd('direct');
  const [own, other] = items(execution).map(({ json }) => json);
  expect(own).toMatchObject({ object: 'credit_balance' });
  expect(JSON.stringify(other)).toContain('only sent to its Base URL, not to http://localhost');
  expect(framegate.line.seen).toHaveLength(1);
});

test('the node is found by common search words', async () => {
  const types = (await n8n.get('/types/nodes.json').then((response) => response.json())) as {
    name: string;
    codex?: { alias?: string[] };
  }[];
  const ours = types.find(({ name }) => name === 'n8n-nodes-framegate.framegate');
  expect(ours?.codex?.alias).toEqual(expect.arrayContaining(['generate video', 'video generator']));
});
