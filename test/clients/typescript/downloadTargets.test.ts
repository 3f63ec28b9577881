import { createReadStream, createWriteStream, lstatSync, readFileSync } from 'node:fs';
import {
  chmod,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type CompletedVideo,
  DownloadError,
  Framegate,
  UsageError,
} from '../../../integrations/typescript/src/node/index.ts';
import type { StreamTarget } from '../../../integrations/typescript/src/sink.ts';
import { runProgram } from '../../support/runProgram.ts';
import { generation, generationId } from '../support/wildResponses.ts';

/* The targets of a download: the table that the clients in TypeScript and Python follow. */

interface Case {
  case: string;
  end: 'written' | 'usage' | 'not_written' | 'disk_full';
}
interface PathCase extends Case {
  target: string;
  before?: Record<string, string>;
  after: Record<string, string>;
}
const table = JSON.parse(
  readFileSync(join(import.meta.dirname, '../downloadTargets.json'), 'utf8'),
) as { paths: PathCase[]; objects: Case[] };

const whole = Buffer.alloc(70_000, 'Framegate');
let fetches = 0;
const framegate = new Framegate({
  baseUrl: 'https://api.example.com/v1',
  apiKey: `fg_live_${'a1B2'.repeat(9)}zz`,
  platform: {
    fetch: async () => Response.json(generation('completed')),
    async fetchFile() {
      fetches += 1;
      const headers = { 'content-type': 'video/mp4', 'content-length': String(whole.length) };
      return new Response(whole, { headers });
    },
  },
});

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'targets-'));
});
afterAll(() => rm(root, { recursive: true }));

/** Makes an entry of a folder as the table describes it. */
async function make(path: string, kind: string): Promise<void> {
  const [what, , to = ''] = kind.split(' ');
  if (what === 'link') return symlink(to, path);
  if (what === 'folder') {
    await mkdir(path);
    return;
  }
  if (what === 'pipe') {
    await runProgram('mkfifo', [path]);
    return;
  }
  if (what === 'device') {
    const minor = kind.slice(-1);
    const { status } = await runProgram('mknod', [path, 'c', '1', minor]);
    // Only root makes devices.
    return status === 0 ? undefined : symlink(minor === '3' ? '/dev/null' : '/dev/full', path);
  }
  await writeFile(path, 'old');
  if (what === 'private') await chmod(path, 0o600);
  if (what === 'protected') await chmod(path, 0o444);
}

/** An entry of a folder, in the words of the table. */
async function kindOf(path: string, asked = ''): Promise<string> {
  const status = lstatSync(path);
  if (status.isDirectory()) return 'folder';
  if (status.isFIFO()) return 'pipe';
  if (status.isCharacterDevice()) return `device ${status.rdev & 0xff}`;
  if (status.isSymbolicLink()) {
    return asked.startsWith('device') ? asked : `link to ${await readlink(path)}`;
  }
  const mode = (status.mode & 0o222) === 0 ? 'protected' : '';
  if (!(await readFile(path)).equals(whole)) return mode || 'old';
  return (status.mode & 0o077) === 0 ? 'whole, private' : 'whole';
}

/** How a download ends, in the words of the table. */
async function endOf(call: Promise<unknown>): Promise<string> {
  const error: unknown = await call.then(
    () => 'written',
    (thrown: unknown) => thrown,
  );
  if (error instanceof UsageError) return 'usage';
  return error instanceof DownloadError ? error.code : String(error);
}

const video = async () => (await framegate.generations.wait(generationId)) as CompletedVideo;

describe('a path', () => {
  test.each(table.paths)('$case', async ({ case: name, target, before = {}, after, end }) => {
    const folder = join(root, name);
    await mkdir(folder);
    for (const [entry, kind] of Object.entries(before)) await make(join(folder, entry), kind);
    const isPipe = Object.values(before).includes('pipe');
    const reader = isPipe ? readFile(join(folder, target)) : undefined;
    fetches = 0;
    const path = target === '' ? '' : `${folder}/${target}`;
    expect(await endOf((await video()).download(path))).toBe(end);
    if (reader) expect(await reader).toEqual(whole);
    // An impossible target is refused before a byte is fetched.
    expect(fetches).toBe(end === 'usage' || end === 'not_written' ? 0 : 1);
    const entries = await readdir(folder);
    const kinds = entries.map(async (each) => [
      each,
      await kindOf(join(folder, each), after[each]),
    ]);
    expect(Object.fromEntries((await Promise.all(kinds)) as [string, string][])).toEqual(after);
  });

  test('of the standard output gets appended bytes, without a replacement', async () => {
    const log = join(root, 'log');
    await writeFile(log, 'old');
    const handle = await open(log, 'a');
    await (await video()).download(`/proc/self/fd/${handle.fd}`);
    await handle.close();
    expect(await readFile(log)).toEqual(Buffer.concat([Buffer.from('old'), whole]));
  });

  test('whose partial file is a link of another user is not written', async () => {
    const path = join(root, 'shared.mp4');
    await writeFile(join(root, 'theirs'), 'old');
    const part = join(root, 'shared.mp4.one.part');
    await symlink(join(root, 'theirs'), part);
    const { openFile } = await import('../../../integrations/typescript/src/node/files.ts');
    await expect((await openFile(path))('"one"')).rejects.toThrow('ELOOP');
    expect(await readFile(join(root, 'theirs'), 'utf8')).toBe('old');
  });
});

const failing = (code?: string) =>
  new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error('no'), { code })),
  });
const objects: Record<string, () => Promise<unknown>> = {
  nothing: async () => undefined,
  'a number': async () => 5,
  'bytes in place of a path': async () => Buffer.from('out.mp4'),
  'a file open for reading': async () => createReadStream(import.meta.filename),
  async 'a closed file'() {
    const stream = createWriteStream(join(root, 'closed'));
    await new Promise((resolve) => stream.end(resolve));
    return stream;
  },
  'an asynchronous file': () => open(join(root, 'handle'), 'w'),
  'a writer that fails': async () => failing(),
  'a full disk': async () => failing('ENOSPC'),
};

describe('an object', () => {
  test('each of the table is tried', () => {
    expect(table.objects.map((each) => each.case)).toEqual(Object.keys(objects));
  });

  test.each(table.objects)('$case', async ({ case: name, end }) => {
    fetches = 0;
    const target = await objects[name]?.();
    expect(await endOf((await video()).download(target as StreamTarget))).toBe(end);
    expect(fetches).toBe(end === 'usage' ? 0 : 1);
    if (target !== null && typeof target === 'object' && 'close' in target) {
      await (target as { close(): unknown }).close();
    }
  });

  test('a stream that is in use', async () => {
    const stream = new WritableStream<Uint8Array>();
    stream.getWriter();
    expect(await endOf((await video()).download(stream))).toBe('usage');
  });

  test('a stream that is closed by its owner after the last byte is not taken as complete', async () => {
    let received = 0;
    const stream: Writable = new Writable({
      write(chunk: Buffer, _encoding, done) {
        received += chunk.length;
        done();
        if (received === whole.length) stream.destroy();
      },
    });
    expect(await endOf((await video()).download(stream))).toBe('not_written');
  });
});
