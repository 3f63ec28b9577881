import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type CallToolResult, Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { connectMcp, errorOf } from '../../mcp/support/mcpClient.ts';
import { installLocked } from '../../support/install.ts';
import { projectRoot } from '../../support/runNode.ts';
import { type PackedWorld, startPackedWorld } from '../typescript/packedWorld.ts';

/* The tools in a complete gateway, over HTTP and through the packed command line: the SDK's clients, the inspector. */

const run = promisify(execFile);
const inspector = join(import.meta.dirname, 'inspector');

let { world, account, installed, env } = {} as PackedWorld;

beforeAll(async () => {
  ({ world, account, installed, env } = await startPackedWorld());
  const { PATH = '' } = process.env;
  env = { PATH, HOME: world.folder, ...env };
});
afterEach(() => {
  world.line.reset();
});
afterAll(async () => {
  await world.stop();
});

const cli = () => join(installed.package, 'dist/cli/main.js');
const video = { model: 'alpha-2.0-fast', mode: 'text-to-video', prompt: 'A paper boat' };
const creates = { method: 'POST', path: '/mcp', body: 'create_video' };

/** The SDK's client of `framegate mcp`. */
async function connectStdio(options: readonly string[] = [], apiKey = account.apiKey) {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const args = [cli(), 'mcp', ...options];
  const own = { ...env, FRAMEGATE_KEY: apiKey };
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, env: own, stderr: 'ignore' }),
  );
  return {
    client,
    call: (name: string, toolArgs: Record<string, unknown> = {}): Promise<CallToolResult> =>
      client.callTool({ name, arguments: toolArgs }),
  };
}

test('a lost reply over standard input and output gives one video, paid once', async () => {
  const { client, call } = await connectStdio();
  const { tools } = await client.listTools();
  const remote = await connectMcp({ origin: world.line.origin, apiKey: account.apiKey });
  expect(tools).toEqual((await remote.client.listTools()).tools);
  const before = await world.available(account);
  world.line.disturb({ ...creates, cut: true, forwarded: true });
  const created = await call('create_video', video);
  const { id, billing } = created.structuredContent as {
    id: string;
    billing: { cost_credits: number };
  };
  expect(before - (await world.available(account))).toBe(billing.cost_credits);
  let done: CallToolResult;
  do done = await call('wait_for_generation', { id });
  while (/"status":"(queued|processing)"/.test(JSON.stringify(done.structuredContent)));
  expect(done.content).toContainEqual(
    expect.objectContaining({ type: 'resource_link', mimeType: 'video/mp4' }),
  );
  await Promise.all([client.close(), remote.client.close()]);
});

test.each(['HTTP', 'standard input and output'])(
  'progress over %s keeps a wait alive that is longer than the timeout of its client',
  async (way) => {
    const { apiKey } = await world.addAccount({ credits: 100, limits: { running: 0 } });
    const { client, call } =
      way === 'HTTP'
        ? await connectMcp({ origin: world.line.origin, apiKey })
        : await connectStdio([], apiKey);
    const { id } = (await call('create_video', video)).structuredContent as { id: string };
    const told: string[] = [];
    const done = await client.callTool(
      { name: 'wait_for_generation', arguments: { id, timeout_seconds: 9 } },
      {
        timeout: 8_000,
        resetTimeoutOnProgress: true,
        onprogress: ({ message = '' }) => told.push(message),
      },
    );
    expect(done.structuredContent).toMatchObject({ id, status: 'queued' });
    expect(told.slice(0, 2)).toEqual(['queued', 'queued']);
    await client.close();
  },
);

test('a failed generation names the reason and the refund', async () => {
  world.ark.script({ prompt: 'sinks', on: 'task', plan: { polls: 0, end: 'failed' } });
  const { client, call } = await connectStdio();
  const created = await call('create_video', { ...video, prompt: 'A boat that sinks' });
  const { id } = created.structuredContent as { id: string };
  let done: CallToolResult;
  do done = await call('wait_for_generation', { id });
  while (/"status":"(queued|processing)"/.test(JSON.stringify(done.structuredContent)));
  expect(done.structuredContent).toMatchObject({
    status: 'failed',
    error: { code: 'generation_failed' },
    billing: { status: 'refunded', refunded_credits: 50 },
  });
  await client.close();
});

test('the credits of a process are spent together', async () => {
  const { client, call } = await connectStdio(['--max-credits', '75']);
  expect((await call('create_video', video)).structuredContent).toMatchObject({
    billing: { cost_credits: 50 },
  });
  const refused = errorOf(await call('create_video', video));
  expect(refused).toMatchObject({ code: 'price_above_limit' });
  expect(refused['message']).toContain('25 of 75 credits are left. This needs 50 credits');
  await client.close();
});

test('the transcript of the documentation is reproduced', async () => {
  const page = await readFile(join(projectRoot, 'docs/mcp.md'), 'utf8');
  const lines = (/```jsonl\n(.*?)```/s.exec(page)?.[1] ?? '').trim().split('\n');
  expect(lines.length).toBe(5);
  const before = await world.available(account);
  const first = await installed.framegate(['mcp'], env, `${lines.slice(0, 4).join('\n')}\n`).ended;
  expect([first.status, first.stderr]).toEqual([0, '']);
  const responses = first.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as ApiResponse);
  const respond = (id: number) =>
    responses.find((each) => each.id === id)?.result.structuredContent;
  expect(respond(2)).toMatchObject({ cost_credits: 50 });
  const generation = String(respond(3)?.['id']);
  const wait = String(lines[4]).replace(/gen_[0-9a-z]{26}/, generation);
  for (let status = 'queued'; status !== 'completed';) {
    const { stdout } = await installed.framegate(['mcp'], env, `${wait}\n`).ended;
    status = String((JSON.parse(stdout) as ApiResponse).result.structuredContent['status']);
    expect(['queued', 'processing', 'completed']).toContain(status);
  }
  expect(before - (await world.available(account))).toBe(50);
});

interface ApiResponse {
  id: number;
  result: { structuredContent: Record<string, unknown> };
}

test('without a login it gives instructions, and writes nothing to the message stream', async () => {
  const { PATH = '' } = env;
  const ended = await installed.framegate(['mcp'], { PATH, HOME: world.folder }).ended;
  expect(ended.status).toBe(3);
  expect(ended.stderr).toContain('framegate login');
});

test('the inspector finds the tools over both transports, and nothing that other clients cannot read', async () => {
  await installLocked(inspector);
  const inspect = async (...args: string[]) => {
    const bin = join(inspector, 'node_modules/.bin/mcp-inspector');
    const { stdout } = await run(bin, ['--cli', ...args], { env, cwd: world.folder });
    return JSON.parse(stdout) as Record<string, unknown>;
  };
  const byHttp = [
    ...[`${world.line.origin}/mcp`, '--transport', 'http'],
    ...['--header', `Authorization: Bearer ${account.apiKey}`],
  ];
  const listed = await inspect(...byHttp, '--method', 'tools/list', '--strict');
  expect(listed['tools']).toHaveLength(7);
  const asked = await inspect(
    ...[...byHttp, '--method', 'tools/call', '--tool-name', 'get_balance'],
  );
  expect(asked['structuredContent']).toMatchObject({ object: 'credit_balance' });
  const login = ['FRAMEGATE_URL', 'FRAMEGATE_KEY'].flatMap((name) => [
    '-e',
    `${name}=${env[name]}`,
  ]);
  const byCli = await inspect(process.execPath, cli(), 'mcp', ...login, '--method', 'tools/list');
  expect(byCli['tools']).toEqual(listed['tools']);
});
