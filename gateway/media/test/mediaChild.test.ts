import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { runNode } from '../../../test/support/runNode.ts';
import { inputLimits, outputLimits } from '../src/childLimits.ts';
import { type ChildEnd, flagsFor, runMediaChild } from '../src/mediaChild.ts';
import { ReaderError } from '../src/mediaErrors.ts';
import type { MediaTask } from '../src/mediaTask.ts';
import { inspectFile } from '../src/runMediaTask.ts';
import { slowSound } from './hostileFiles.ts';

const run = promisify(execFile);
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'framegate-child-'));
  await writeFile(join(folder, 'slow.aac'), slowSound());
  const picture = sharp({
    create: { width: 3_000, height: 3_000, channels: 4, background: '#357' },
  });
  await writeFile(join(folder, 'picture.png'), await picture.png({ progressive: true }).toBuffer());
});
afterAll(() => rm(folder, { recursive: true }));

const inspect = (name: string, type: 'image' | 'audio', limits = {}) =>
  runMediaChild(
    { task: 'inspect', path: join(folder, name), type, maxPixels: 40_000_000 },
    { ...inputLimits, ...limits },
    new AbortController().signal,
  );

describe('the limits of a child', () => {
  test('bound processor time, regardless of elapsed time', async () => {
    const end = await inspect('slow.aac', 'audio', { processorSeconds: 1 });
    expect(end).toEqual({ kind: 'outOfProcessorTime' });
  });

  test('bound elapsed time', async () => {
    const end = await inspect('slow.aac', 'audio', { wallMs: 1 });
    expect(end).toEqual({ kind: 'outOfTime' });
  });

  test('bound memory: a picture that needs more is invalid, and a process that cannot start gives no verdict', async () => {
    const ends = [
      await inspect('picture.png', 'image'),
      await inspect('picture.png', 'image', { memoryMb: 40 }),
    ];
    expect(ends).toMatchObject([
      { kind: 'answered', response: { ok: true, width: 3_000 } },
      { kind: 'noResponse' },
    ]);
  });
});

describe('a finished picture whose posters fail', () => {
  /** Encodes a picture; its poster goes to a pipe that no one reads. */
  async function encode(limits = {}) {
    const own = await mkdtemp(join(folder, 'posters-'));
    const [pipe, target] = [join(own, 'pipe'), join(own, 'finished')];
    await run('mkfifo', [pipe]);
    const task: MediaTask = {
      task: 'encodeImage',
      path: join(own, 'noise.png'),
      target,
      format: 'png',
      maxPixels: 1_000_000,
      posters: [{ width: 960, path: pipe }],
    };
    const noise = randomBytes(400 * 400 * 3);
    const raw = { width: 400, height: 400, channels: 3 } as const;
    await sharp(noise, { raw }).toFile(task.path);
    const end = runMediaChild(task, { ...outputLimits, ...limits }, new AbortController().signal);
    return { own, pipe, target, end };
  }

  test('stays after a crash', async () => {
    const { own, pipe, target, end } = await encode();
    // Opens once the child begins to write.
    const reader = await open(pipe);
    const { stdout } = await run('ps', ['-A', '-o', 'pid=,args=']);
    const line = stdout.split('\n').find((each) => each.includes(own) && !each.includes('/bin/sh'));
    process.kill(Number.parseInt(line ?? ''), 'SIGKILL');
    const noPosters = 'their child ended by SIGKILL';
    expect(await end).toMatchObject({ kind: 'answered', response: { ok: true, noPosters } });
    expect((await sharp(target).metadata()).width).toBe(400);
    await reader.close();
  });

  test('stays after a timeout', async () => {
    const { target, end } = await encode({ postersMs: 1 });
    const noPosters = 'their child ended by SIGKILL';
    expect(await end).toMatchObject({ kind: 'answered', response: { ok: true, noPosters } });
    expect((await sharp(target).metadata()).width).toBe(400);
  });
});

describe('the verdict on a file', () => {
  const answered: ChildEnd = {
    kind: 'answered',
    response: { ok: true, mediaType: 'image/png', extension: 'png' },
  };
  const crashed: ChildEnd = { kind: 'noResponse', how: 'SIGSEGV' };
  const late: ChildEnd = { kind: 'outOfTime' };
  const costly: ChildEnd = { kind: 'outOfProcessorTime' };

  test.each<[string, ChildEnd[], object, number]>([
    ['a crash is tried once more', [crashed, answered], { ok: true }, 2],
    ['two crashes', [crashed, crashed], { ok: false, reason: 'ended its reader by SIGSEGV' }, 2],
    ['twice out of time', [late, late], { ok: false, isSlow: true }, 2],
    ['out of processor time', [costly], { ok: false, isSlow: true }, 1],
  ])('%s', async (_, ends, verdict, runs) => {
    let started = 0;
    expect(await inspectFile(async () => ends[started++] ?? crashed)).toMatchObject(verdict);
    expect(started).toBe(runs);
  });

  test.each([crashed, late, costly])("a provider's file has none after %j", async (end) => {
    await expect(inspectFile(async () => end, true)).rejects.toBeInstanceOf(ReaderError);
  });

  test('our own fault gives no verdict', async () => {
    const fault: ChildEnd = { kind: 'answered', response: { fault: 'no sharp here' } };
    await expect(inspectFile(async () => fault)).rejects.toThrow('no sharp here');
  });
});

test('a child has no network', async () => {
  const code = `
    const says = async (ask) => ask().then(() => 'there', (error) => error.message);
    const found = [await says(() => import('node:net')), await says(() => import('https'))];
    const { createRequire } = await import('node:module');
    found.push(await says(async () => createRequire(import.meta.url)('http')));
    found.push(typeof fetch, typeof WebSocket, typeof process.getBuiltinModule);
    process.stdout.write(JSON.stringify(found));`;
  const module = join(import.meta.dirname, '../src/denyNetwork.ts');
  const { stdout } = await runNode(['--import', module, '--input-type=module', '-e', code]);
  expect(JSON.parse(stdout)).toEqual([
    ...['net', 'https', 'http'].map((name) => `node:${name} is not for this process`),
    ...Array.from({ length: 3 }, () => 'undefined'),
  ]);
});

test('a child reads only its folder and code, writes only where its task does, and starts no process', async () => {
  await writeFile(join(folder, 'secret'), 'a secret');
  const own = await mkdtemp(join(folder, 'task-'));
  const probe = join(own, 'probe.mjs');
  const code = `
    import { readFileSync, writeFileSync } from 'node:fs';
    import { spawnSync } from 'node:child_process';
    import { Worker } from 'node:worker_threads';
    const says = (ask) => { try { ask(); return 'done'; } catch (error) { return error.code ?? error.name; } };
    process.stdout.write(JSON.stringify([
      says(() => readFileSync(${JSON.stringify(join(folder, 'secret'))})),
      says(() => readFileSync('/proc/' + process.ppid + '/environ')),
      says(() => readFileSync(${JSON.stringify(probe)})),
      says(() => writeFileSync(${JSON.stringify(join(own, 'new'))}, 'x')),
      says(() => spawnSync('true')),
      says(() => new Worker('0', { eval: true })),
      says(() => new Function('return 1')),
    ]));`;
  await writeFile(probe, code);
  const path = join(own, 'file');
  const can = async (task: MediaTask) =>
    JSON.parse((await runNode([...flagsFor(task), probe])).stdout) as unknown[];
  const no = 'ERR_ACCESS_DENIED';
  expect(await can({ task: 'inspect', path, type: 'audio', maxPixels: 1 })).toEqual([
    ...[no, no, 'done', no, no, no, 'EvalError'],
  ]);
  expect(await can({ task: 'cleanVideo', path, target: join(own, 'made') })).toEqual([
    ...[no, no, 'done', 'done', no, no, 'EvalError'],
  ]);
});
