import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { catalogue, presentModel } from '@framegate/contract';
import { parseCsv } from '../../../integrations/typescript/src/cli/batch/csv.ts';
import { run } from '../../../integrations/typescript/src/cli/run.ts';
import { generation } from '../support/wildResponses.ts';
import { eventsOf } from './inProcess.ts';

const env = {
  FRAMEGATE_URL: 'https://api.example.com/v1',
  FRAMEGATE_KEY: `fg_live_${'a1B2'.repeat(9)}zz`,
};

let folder: string;
let table: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'framegate-batch-'));
  table = join(folder, 'prompts.csv');
});
afterEach(() => rm(folder, { recursive: true }));

const theFile = () =>
  new Response('the bytes', { headers: { 'content-length': '9', 'content-type': 'video/mp4' } });

/** An in-memory gateway: it creates a generation for each key, and fails those whose prompt requests it. */
function startService({ available = 10_000 } = {}) {
  const bodies = new Map<string, { prompt: string; [field: string]: unknown }>();
  const posts: string[] = [];
  const idOf = (key: string) => `gen_${String([...bodies.keys()].indexOf(key)).padStart(26, '0')}`;
  const keyOf = (id: string) => [...bodies.keys()].find((key) => idOf(key) === id) ?? '';
  async function fetch(url: string, { method, headers, body }: RequestInit): Promise<Response> {
    const { pathname } = new URL(url);
    if (method === 'POST') {
      const key = new Headers(headers).get('idempotency-key') ?? '';
      posts.push(key);
      bodies.set(key, JSON.parse(body as string) as { prompt: string });
      return Response.json(generation('queued', { id: idOf(key) }), { status: 202 });
    }
    if (pathname.endsWith('/models')) {
      return Response.json({ object: 'list', data: catalogue.map(presentModel) });
    }
    if (pathname.endsWith('/balance')) {
      return Response.json({ object: 'credit_balance', available, in_flight: 0 });
    }
    const id = pathname.split('/').at(-1) ?? '';
    const hasFailed = bodies.get(keyOf(id))?.prompt.includes('fails') === true;
    return Response.json(generation(hasFailed ? 'failed' : 'completed', { id }));
  }
  const fetchFile = async () => theFile();
  return { fetch, fetchFile, posts, bodies };
}

type Service = ReturnType<typeof startService>;

/** Runs `framegate batch` on the table. */
async function runBatch(service: Service, args: string[] = ['--yes'], more: object = {}) {
  const written = { stdout: '', stderr: '' };
  const asked: string[] = [];
  const { fetch, fetchFile } = service;
  const status = await run(
    ['batch', table, '-m', 'alpha-2.0-fast', '-o', folder, ...args],
    {
      env,
      stdout: { write: (text: string) => (written.stdout += text) },
      stderr: { write: (text: string) => (written.stderr += text) },
      async ask(question: string) {
        asked.push(question);
        return 'no';
      },
      signal: new AbortController().signal,
      configFolder: folder,
      platform: { fetch, fetchFile, sleep: () => Promise.resolve() },
      ...more,
    },
    '1.2.3',
  );
  return { status, asked, ...written, events: eventsOf(written.stdout) };
}

const filesIn = async () =>
  (await readdir(folder)).filter((name) => name.endsWith('.mp4')).toSorted();

describe('a table', () => {
  const cell = fc.oneof(fc.string(), fc.constantFrom('a,b', '"', 'two\nlines', ' ', '\r\n'));
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

  test('is read as written', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell)), fc.constantFrom('\n', '\r\n'), (rows, end) => {
        const lines = rows.map(([a, b]) => `${quoted(a)},${quoted(b)}`);
        const read = parseCsv(['prompt,seed', ...lines, ''].join(end));
        expect(read.map(({ cells }) => [cells['prompt'], cells['seed']])).toEqual(rows);
      }),
    );
  });

  test.each([
    [
      'cells without quotes, and empty lines',
      'a,b\n1,2\n\n3,4',
      [
        [2, '1', '2'],
        [4, '3', '4'],
      ],
    ],
    ['the mark of a spreadsheet, and a short line', '\uFEFFa,b\r\n1', [[2, '1', undefined]]],
    [
      'text over several lines',
      'a,b\n"1\n2",3\n4,5',
      [
        [2, '1\n2', '3'],
        [4, '4', '5'],
      ],
    ],
  ])('%s', (_, text, rows) => {
    expect(parseCsv(text).map(({ line, cells }) => [line, cells['a'], cells['b']])).toEqual(rows);
  });

  test.each([
    ['a,b\n1,2,3', 'Line 2 has 3 cells for 2 columns'],
    ['a\n"open', 'Line 2 has an unmatched quote'],
    ['a\nb"c', 'Line 2 has an unmatched quote'],
    ['a,a\n1,2', 'Line 1 names a column twice'],
  ])('%j is refused: %s', (text, why) => {
    expect(() => parseCsv(text)).toThrow(why);
  });
});

test('each row is made by its own key and downloaded; its columns override the options', async () => {
  await writeFile(table, 'prompt,duration,sound\nA kite,4,true\n"A boat, at night",,\n');
  const service = startService();
  const done = await runBatch(service, ['--yes', '--duration', '6']);
  expect({ status: done.status, stderr: done.stderr }).toEqual({ status: 0, stderr: '' });
  expect(await filesIn()).toEqual(['prompts-2.mp4', 'prompts-3.mp4']);
  expect(new Set(service.posts).size).toBe(2);
  expect([...service.bodies.values()]).toMatchObject([
    { prompt: 'A kite', parameters: { duration_seconds: 4, generate_audio: true } },
    { prompt: 'A boat, at night', parameters: { duration_seconds: 6 } },
  ]);
  const [estimate] = done.events;
  expect(estimate).toEqual({
    event: 'estimate',
    rows: 2,
    new_rows: 2,
    credits: 110,
    available: 10_000,
  });
  expect(done.events.at(-1)).toEqual({ event: 'batch', rows: 2 });
});

test('equal rows are several orders, and the same command makes none of them again', async () => {
  await writeFile(table, 'prompt\nA kite\nA kite\n');
  const service = startService();
  await runBatch(service);
  expect(new Set(service.posts).size).toBe(2);
  // Rows in another order, and one more. The terminal's bar counts the earlier ones.
  await writeFile(table, 'prompt\nA new kite\nA kite\nA kite\n');
  const shown: string[] = [];
  const stderr = { isTTY: true, write: (text: string) => shown.push(text.slice(1, -3)) };
  const { status, events } = await runBatch(service, ['--yes'], { stderr });
  expect([status, service.posts.length]).toEqual([0, 3]);
  expect(events[0]).toMatchObject({ new_rows: 1 });
  const bars = ['[################--------] 2 of 3 rows', '[########################] 3 of 3 rows'];
  expect(shown).toEqual([bars[0], '', bars[1], '']);
});

test('a stopped batch resumes with the same keys', async () => {
  await writeFile(table, `prompt\n${Array.from({ length: 30 }, (_, n) => `Kite ${n}`).join('\n')}`);
  const service = startService();
  const stop = new AbortController();
  const fetchFile = async () => {
    stop.abort();
    return theFile();
  };
  const first = await runBatch({ ...service, fetchFile }, ['--yes'], { signal: stop.signal });
  expect(first.status).toBe(130);
  expect(first.stderr).toContain(
    'rows are not finished yet. Run the same command again to continue',
  );
  expect(service.bodies.size).toBeLessThan(30);
  const second = await runBatch(service);
  expect(second).toMatchObject({ status: 0, stderr: '' });
  expect([service.bodies.size, (await filesIn()).length]).toEqual([30, 30]);
});

test('a failed row holds up no other, and is ordered again only on request', async () => {
  await writeFile(table, 'prompt\nA kite that fails\nA kite\n');
  const service = startService();
  const first = await runBatch(service);
  expect([first.status, (await filesIn()).length]).toEqual([1, 1]);
  expect(first.stderr).toContain('1 of 2 rows failed and were refunded');
  expect((await runBatch(service)).status).toBe(1);
  expect(service.posts).toHaveLength(2);
  await runBatch(service, ['--yes', '--retry-failed']);
  expect([service.posts.length, new Set(service.posts).size]).toEqual([3, 3]);
});

describe('nothing is sent', () => {
  test.each([
    ['without a yes', 'prompt\nA kite\n', [], 2, 'Answer y, or pass --yes'],
    [
      'above --max-credits',
      'prompt\nA kite\n',
      ['--max-credits', '9'],
      4,
      'more than --max-credits',
    ],
    [
      'above the balance',
      `prompt\n${'A kite\n'.repeat(300)}`,
      ['-y'],
      4,
      'do not have enough credits',
    ],
    ['for a table without rows', 'prompt\n', ['-y'], 2, 'no rows'],
    [
      'for a table with mistakes, which are told at once',
      'prompt,size\n,\nA kite,8\n',
      ['-y'],
      2,
      'Line 2: The prompt is missing.\nLine 3: There is no column size',
    ],
    [
      'for values that a model does not offer',
      'prompt,duration\nA kite,99\n',
      ['-y'],
      2,
      'Line 2: ',
    ],
  ])('%s', async (_, text, args, status, why) => {
    await writeFile(table, text);
    const service = startService();
    const done = await runBatch(service, args);
    expect(done.stderr).toContain(why);
    expect([done.status, service.posts]).toEqual([status, []]);
  });

  test('with a state that cannot be read', async () => {
    await writeFile(table, 'prompt\nA kite\n');
    await writeFile(`${table}.state.json`, '{"batch":');
    const service = startService();
    const { status, stderr } = await runBatch(service);
    expect([status, service.posts]).toEqual([2, []]);
    expect(stderr).toContain('would be charged again');
    expect(await readFile(`${table}.state.json`, 'utf8')).toBe('{"batch":');
  });
});

test('the question names the cost', async () => {
  await writeFile(table, 'prompt\nA kite\n');
  const { asked } = await runBatch(startService(), []);
  expect(asked).toEqual([
    '1 of 1 rows are new and cost 50 credits; 10000 are available. Create them? [y/N] ',
  ]);
});
