import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { hurry } from '../support/hurry.ts';
import { projectRoot, runNode } from '../support/runNode.ts';
import { until } from '../support/until.ts';
import { type ArkGateway, useArkGateway } from '../support/useArkGateway.ts';
import { clientClaims } from './clientClaims.ts';
import { fillPlaceholders, type PageRequest, requestsOf, sectionOf } from './pageRequests.ts';

const world = useArkGateway();
let { ark, gateway } = {} as ArkGateway;
let folder: string;
let page: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'framegate-docs-'));
  page = await readFile(join(projectRoot, 'docs/integrations.md'), 'utf8');
  ({ ark, gateway } = world());
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

test('each claim of docs/integrations.md about a client has a test of that name', async () => {
  const [head = [], , ...rows] = sectionOf(page, 'Features of each client')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  const claimed = rows.map(([, claim, ...cells]) => ({
    claim,
    clients: head.slice(2, -1).filter((_client, index) => !cells[index]?.startsWith('no')),
  }));
  expect(claimed).toEqual(
    clientClaims.map(({ claim, tests }) => ({ claim, clients: Object.keys(tests) })),
  );
  for (const [file, name] of clientClaims.flatMap(({ tests }) => Object.values(tests))) {
    const text = await readFile(join(projectRoot, file), 'utf8');
    expect([file, text.includes(name) ? name : 'no such test']).toEqual([file, name]);
  }
});

test('the program of docs/integrations.md makes a video once, however often it is run', async () => {
  const [, program = ''] = /```js\n(.*?)```/s.exec(page) ?? [];
  const file = join(folder, 'client.mjs');
  await writeFile(file, program);
  await installClient();
  const before = ark.submitted().length;
  const { apiKey } = await gateway.addAccount({ credits: 50 });
  const env = { FRAMEGATE_URL: `${gateway.origin}/v1`, FRAMEGATE_KEY: apiKey };
  const run = (...args: string[]) => runNode(['--import', hurry, file, ...args], env);
  const runs = [await run('1'), await run('1')];
  for (const { status, stdout, stderr } of runs) {
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const response = await fetch(stdout.trim());
    expect(response.headers.get('content-type')).toBe('video/mp4');
    await response.body?.cancel();
  }
  expect(ark.submitted()).toHaveLength(before + 1);
  // The fifty credits are spent: another order is refused, and the program prints the reason.
  const refused = await run('2');
  expect(refused.status).toBe(1);
  expect(refused.stderr).toContain('InsufficientCreditsError: ');
  expect((await run()).stderr).toContain('Usage: node client.mjs');
});

/** The client as it is in the tree, under its published name. */
async function installClient(): Promise<void> {
  const installed = join(folder, 'node_modules/@framegate/client');
  await mkdir(installed, { recursive: true });
  const source = join(projectRoot, 'integrations/typescript/src/node/index.ts');
  await writeFile(join(installed, 'package.json'), '{ "type": "module", "exports": "./index.js" }');
  const code = `export * from ${JSON.stringify(pathToFileURL(source).href)};`;
  await writeFile(join(installed, 'index.js'), code);
}

type Json = Record<string, unknown>;

/** Sends a request of the page, its steps' values filled in; the key goes to the API only. */
async function send(request: PageRequest, values: Json, apiKey: string): Promise<Response> {
  const url = fillPlaceholders(request.url, values).replace(
    'https://api.example.com',
    gateway.origin,
  );
  const isForApi = request.url.startsWith('https://api.example.com/v1/');
  const headers = new Headers(request.headers);
  headers.forEach((value, name) => {
    headers.set(name, fillPlaceholders(value, values));
  });
  if (isForApi) headers.set('authorization', `Bearer ${apiKey}`);
  return fetch(url, {
    method: request.method,
    headers,
    ...(request.body !== null && { body: fillPlaceholders(request.body, values) }),
  });
}

test.each([
  {
    platform: 'Make',
    trigger: { 1: { id: 'row-7' } },
    keep: (created: Json, read: Json) => ({ 2: { data: created }, 7: { data: read } }),
    waits: ['2.data.retry_after_seconds', '7.data.retry_after_seconds'],
  },
  {
    platform: 'Activepieces',
    trigger: { trigger: { body: { id: 'order-7' } } },
    keep: (created: Json, read: Json) => ({
      step_1: { body: created },
      step_5: { body: read },
    }),
    waits: ["step_1['body']['retry_after_seconds']", "step_5['body']['retry_after_seconds']"],
  },
])(
  'the requests of $platform make one video, and download it',
  async ({ platform, trigger, keep, waits }) => {
    const section = sectionOf(page, platform);
    const [create, read, download] = requestsOf(section);
    if (!create || !read || !download) throw new Error('the page has three requests for each');
    const { apiKey } = await gateway.addAccount({ credits: 50 });
    const before = ark.submitted().length;
    // Sent twice, as by a repeated run: the second request is answered, and nothing is made.
    const created = await Promise.all(
      [1, 2].map(async () => {
        const response = await send(create, trigger, apiKey);
        expect(response.status).toBe(202);
        return (await response.json()) as Json;
      }),
    );
    expect(created[0]).toEqual(created[1]);
    let values: Json = { ...trigger, ...keep(created[0] ?? {}, {}) };
    let latest: Json = {};
    // The page has its script while there is something to wait for.
    for (const wait of waits) expect(section).toContain(`{{${wait}}}`);
    expect(Number(fillPlaceholders(`{{${waits[0] ?? ''}}}`, values))).toBeGreaterThan(0);
    await until(async () => {
      latest = (await (await send(read, values, apiKey)).json()) as Json;
      values = { ...trigger, ...keep(created[0] ?? {}, latest) };
      const isOpen = ['queued', 'processing'].includes(String(latest['status']));
      expect(latest['retry_after_seconds'] !== undefined).toBe(isOpen);
      return !isOpen;
    }, 'the generation has ended');
    expect(latest['status']).toBe('completed');
    const file = await send(download, values, apiKey);
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'video/mp4']);
    await file.body?.cancel();
    expect(ark.submitted()).toHaveLength(before + 1);
  },
);

test('the step of Pipedream makes one video, and waits as the gateway asks', async () => {
  const [, code = ''] = /```js\n(.*?)```/s.exec(sectionOf(page, 'Pipedream')) ?? [];
  const { apiKey } = await gateway.addAccount({ credits: 50 });
  const before = ark.submitted().length;
  interface Component {
    run(given: unknown): Promise<Json | undefined>;
  }
  const process = { env: { FRAMEGATE_URL: `${gateway.origin}/v1`, FRAMEGATE_KEY: apiKey } };
  const component = runInNewContext(code.replace('export default', ''), {
    process,
    fetch,
    JSON,
    defineComponent: (each: Component) => each,
  }) as Component;
  const steps = { trigger: { context: { id: 'event-7' } } };
  let context: unknown = null;
  const told: number[] = [];
  let record: Json | undefined;
  const $ = {
    context: { run: { context } },
    flow: {
      rerun: (ms: number, next: unknown) => {
        told.push(ms);
        context = next;
      },
    },
  };
  // Run twice from the start, as after a crash before the platform noted anything.
  await component.run({ steps, $ });
  await until(async () => {
    record = await component.run({ steps, $: { ...$, context: { run: { context } } } });
    return record !== undefined;
  }, 'the step returns the record');
  expect(record?.['status']).toBe('completed');
  expect(told.every((ms) => ms >= 1000 && ms <= 60_000 && ms % 1000 === 0)).toBe(true);
  expect(ark.submitted()).toHaveLength(before + 1);
  // Without credits the step ends with the reason.
  const other = { trigger: { context: { id: 'event-8' } } };
  $.context = { run: { context: null } };
  await expect(component.run({ steps: other, $ })).rejects.toThrow('credits');
});
