import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { JSONValue } from '@ai-sdk/provider';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { hourMs } from '@framegate/contract';
import { probe } from '../support/probe.ts';
import { until } from '../support/until.ts';
import { makeWorkDir, startRenderer, type TestRenderer } from './startRenderer.ts';

let workDir: string;
let remove: () => Promise<void>;
let renderers: TestRenderer[];

beforeEach(async () => {
  ({ workDir, remove } = await makeWorkDir());
  renderers = [];
});

afterEach(async () => {
  await Promise.all(renderers.map((renderer) => renderer.close()));
  await remove();
});

function start(options: Parameters<typeof startRenderer>[1] = {}): TestRenderer {
  const renderer = startRenderer(workDir, options);
  renderers.push(renderer);
  return renderer;
}

/** The child process of the next render. */
function firstChild(renderer: TestRenderer): Promise<number> {
  return new Promise((resolve) => {
    renderer.onStart = resolve;
  });
}

const startsOf = ({ lines }: TestRenderer) =>
  lines.filter(({ message }) => message === 'preview render started').length;

const untilGone = (pid: number) =>
  until(() => {
    try {
      return !process.kill(pid, 0);
    } catch {
      return true;
    }
  }, `process ${pid} has ended`);

/** Longer than the lease of a dead process lasts, ms. */
const staleMs = 11_000;

describe('a render survives', () => {
  test('the death of its process: the next process renders it again', async () => {
    const entry = path.join(import.meta.dirname, 'rendererProcess.ts');
    const gateway = spawn(process.execPath, [entry, workDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(createInterface(gateway.stdout), 'line')) as [string];
    const { operation, child } = JSON.parse(line) as { operation: JSONValue; child: number };
    gateway.kill('SIGKILL');
    await once(gateway, 'exit');
    await untilGone(child);
    const [renderId = ''] = await readdir(workDir);
    expect(await readdir(path.join(workDir, renderId, 'out-1'))).not.toContain('outcome.json');

    const next = start({ aheadMs: staleMs });
    expect(await next.status(operation)).toMatchObject({ status: 'pending' });
    const { streams } = await probe(await next.video(operation));
    expect(streams[0]).toMatchObject({ nb_read_frames: '96' });
    expect(startsOf(next)).toBe(1);
  });

  test('an orderly end: another process continues immediately', async () => {
    const first = start();
    const running = firstChild(first);
    const operation = await first.start({ duration: 6 });
    const child = await running;
    await first.close();
    await untilGone(child);

    const next = start();
    const { streams } = await probe(await next.video(operation));
    expect(streams[0]).toMatchObject({ nb_read_frames: '144' });
  });

  test('a wait: renders behind it in the queue are not forgotten', async () => {
    const first = start();
    const running = firstChild(first);
    const operations = [await first.start({ duration: 6 }), await first.start({ seed: 8 })];
    await running;
    await first.close();
    expect(startsOf(first)).toBe(1);

    const next = start();
    for (const operation of operations.toReversed()) {
      expect((await next.video(operation)).byteLength).toBeGreaterThan(1000);
    }
  });

  test('the death of its child: it is retried', async () => {
    const renderer = start();
    renderer.onStart = (pid) => {
      renderer.onStart = () => undefined;
      process.kill(pid, 'SIGKILL');
    };
    const operation = await renderer.start({});
    expect((await renderer.video(operation)).byteLength).toBeGreaterThan(1000);
    expect(startsOf(renderer)).toBe(2);
  });
});

describe('a render that cannot end', () => {
  test('fails once its child has died twice', async () => {
    const renderer = start();
    renderer.onStart = (pid) => process.kill(pid, 'SIGKILL');
    const operation = await renderer.start({});
    await expect(renderer.video(operation)).rejects.toThrow(/^render_failed: .*crashed/);
    expect(startsOf(renderer)).toBe(2);

    renderer.onStart = () => undefined;
    const after = await renderer.start({});
    expect((await renderer.video(after)).byteLength).toBeGreaterThan(1000);
  });

  test('fails once it has timed out twice', async () => {
    const renderer = start({ maxRenderMs: 1 });
    const operation = await renderer.start({ duration: 15 });
    await expect(renderer.video(operation)).rejects.toThrow(/^render_failed: .*too long/);
    await expect(renderer.images({})).rejects.toThrow(/^render_failed: .*too long/);
  });
});

describe('processes on one folder', () => {
  test('leave a render to its working process, and all of them serve it', async () => {
    const [first, second] = [start(), start()];
    const running = firstChild(first);
    const operation = await first.start({ duration: 4 });
    await running;
    expect(await second.status(operation)).toMatchObject({ status: 'pending' });
    const [here, there] = await Promise.all([first.video(operation), second.video(operation)]);
    expect(Buffer.from(there).equals(here)).toBe(true);
    expect([startsOf(first), startsOf(second)]).toEqual([1, 0]);
  });

  test('resume an abandoned render once, however many are requested', async () => {
    const first = start();
    const operation = await first.start({});
    await first.close();
    const others = [
      start({ aheadMs: staleMs }),
      start({ aheadMs: staleMs }),
      start({ aheadMs: staleMs }),
    ];
    await Promise.all(others.map((other) => other.video(operation)));
    expect(others.reduce((sum, other) => sum + startsOf(other), 0)).toBe(1);
  });
});

describe('kept files', () => {
  /** Waits until the startup sweep has finished, if it has any work. */
  const settled = ({ lines }: TestRenderer, left: number) =>
    until(() => left > 0 || lines.some(({ message }) => message.includes('deleted')));

  test.each([
    ['a collected video for an hour', true, 0.9, 1],
    ['and no longer', true, 1.1, 0],
    ['one that was not asked for, for a day', false, 23.9, 1],
    ['and no longer', false, 24.1, 0],
  ])('%s', async (_, collected, hours, left) => {
    const renderer = start();
    const operation = await renderer.start({ resolution: '320x180' });
    if (collected) await renderer.video(operation);
    await renderer.close();
    const later = start({ aheadMs: hours * hourMs });
    await settled(later, left);
    expect(await readdir(workDir)).toHaveLength(left);
  });

  test('include no images, and are unreadable for other users', async () => {
    const renderer = start();
    const operation = await renderer.start({ resolution: '320x180' });
    await renderer.images({});
    await renderer.video(operation);
    expect(await readdir(workDir)).toHaveLength(1);
    const [name = ''] = await readdir(workDir);
    expect((await stat(path.join(workDir, name))).mode & 0o077).toBe(0);
  });
});
