import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TransferError } from '@framegate/limits';
import type { MediaStore } from '../src/mediaStore.ts';

const generationId = 'gen_01jd00000000000000000000ab';
const options = { contentType: 'video/mp4', maxBytes: 10_000 };
const sha256 = (data: Uint8Array) => createHash('sha256').update(data).digest('hex');

async function* pieces(...parts: string[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Buffer.from(part);
}

async function* breaking(error: Error): AsyncGenerator<Uint8Array> {
  yield Buffer.from('a part');
  throw error;
}

/** Promises of every media store (application/ports/). `create` returns an empty store. */
export function describeMediaStore(
  name: string,
  create: () => Promise<MediaStore>,
  dispose: () => Promise<void>,
): void {
  describe(`${name} as a media store`, () => {
    let store: MediaStore;
    let count = 0;
    const newKey = (extension = 'mp4') => `outputs/${generationId}/${(count += 1)}.${extension}`;
    const text = async (key: string, range?: { start: number; end: number }) => {
      const found = await store.open(key, range);
      return found && (await buffer(found.stream)).toString();
    };

    beforeAll(async () => {
      store = await create();
    });
    afterAll(dispose);

    test('gives back what it was given, with its type and size', async () => {
      const key = newKey();
      const put = await store.put(key, Buffer.from('hello'), options);
      expect(put).toEqual({ bytes: 5, sha256: sha256(Buffer.from('hello')) });
      expect(await text(key)).toBe('hello');
      expect(await store.stat(key)).toMatchObject({
        bytes: 5,
        contentType: 'video/mp4',
        etag: expect.stringMatching(/^[\w-]+$/),
      });
      const { stream, ...opened } = (await store.open(key)) as { stream: Readable };
      stream.destroy();
      expect(opened).toEqual(await store.stat(key));
    });

    test('takes a finished file, which may go then', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'framegate-finished-'));
      const finished = join(folder, 'finished');
      await writeFile(finished, 'finished');
      const key = newKey();
      const put = await store.put(key, { finished }, options);
      expect(put).toEqual({ bytes: 8, sha256: sha256(Buffer.from('finished')) });
      await expect(store.put(newKey(), { finished }, { ...options, maxBytes: 7 })).rejects.toThrow(
        TransferError,
      );
      await rm(folder, { recursive: true });
      expect(await text(key)).toBe('finished');
    });

    test('takes a stream', async () => {
      const key = newKey();
      const put = await store.put(key, pieces('one ', 'two ', '', 'three'), options);
      expect(put).toEqual({ bytes: 13, sha256: sha256(Buffer.from('one two three')) });
      expect(await text(key)).toBe('one two three');
    });

    test('takes an empty file', async () => {
      const key = newKey();
      expect(await store.put(key, new Uint8Array(), options)).toMatchObject({ bytes: 0 });
      expect(await text(key)).toBe('');
    });

    test('opens a part, both ends included, and tells the size of the whole', async () => {
      const key = newKey();
      await store.put(key, Buffer.from('0123456789'), options);
      expect(await text(key, { start: 2, end: 4 })).toBe('234');
      expect(await text(key, { start: 9, end: 9 })).toBe('9');
      const part = await store.open(key, { start: 0, end: 0 });
      part?.stream.destroy();
      expect(part?.bytes).toBe(10);
    });

    test('replaces a file under the same key, with a new etag', async () => {
      const key = newKey('png');
      await store.put(key, Buffer.from('first'), options);
      const before = await store.stat(key);
      await store.put(key, Buffer.from('other'), { ...options, contentType: 'image/png' });
      const after = await store.stat(key);
      expect(await text(key)).toBe('other');
      expect(after).toMatchObject({ bytes: 5, contentType: 'image/png' });
      expect(after?.etag).not.toBe(before?.etag);
    });

    test('the same bytes again change nothing', async () => {
      const key = newKey();
      const first = await store.put(key, Buffer.from('same'), options);
      const before = await store.stat(key);
      expect(await store.put(key, pieces('sa', 'me'), options)).toEqual(first);
      expect((await store.stat(key))?.etag).toBe(before?.etag);
      expect(await text(key)).toBe('same');
    });

    test('opens a file by an earlier response, or says that it no longer holds', async () => {
      const key = newKey();
      await store.put(key, Buffer.from('first'), options);
      const known = await store.stat(key);
      if (!known) throw new Error('it is not there');
      const opened = await store.open(key, { start: 1, end: 2 }, known);
      expect([opened?.etag, opened?.bytes]).toEqual([known.etag, 5]);
      expect(opened && (await buffer(opened.stream)).toString()).toBe('ir');
      await store.put(key, Buffer.from('other'), options);
      const replaced = await store.open(key, undefined, known);
      replaced?.stream.destroy();
      expect(replaced?.etag).not.toBe(known.etag);
    });

    test('writers of one key at one moment leave one whole file', async () => {
      const key = newKey();
      const texts = ['a', 'bb', 'ccc', 'dddd', 'a', 'bb'].map((part) => part.repeat(900));
      await Promise.all(texts.map((each) => store.put(key, pieces(each), options)));
      const kept = await text(key);
      expect(texts).toContain(kept);
      expect(await store.stat(key)).toMatchObject({ bytes: kept?.length });
    });

    test('a reader that has opened a file reads it to the end while it is replaced', async () => {
      const key = newKey();
      await store.put(key, Buffer.from('before'), options);
      const opened = await store.open(key);
      await store.put(key, Buffer.from('after it'), options);
      expect(opened && (await buffer(opened.stream)).toString()).toBe('before');
      expect(await text(key)).toBe('after it');
    });

    test('a file of exactly the most bytes is taken, one more is too large', async () => {
      const key = newKey();
      await store.put(key, Buffer.alloc(10_000), options);
      const tooLarge = store.put(newKey(), pieces('x'.repeat(9_999), 'yy'), options);
      await expect(tooLarge).rejects.toBeInstanceOf(TransferError);
      await expect(tooLarge).rejects.toMatchObject({ kind: 'too_large' });
      await expect(store.put(newKey(), Buffer.alloc(10_001), options)).rejects.toMatchObject({
        kind: 'too_large',
      });
    });

    test('a broken source, or too much, leaves nothing new and keeps what was there', async () => {
      const [fresh, kept] = [newKey(), newKey()];
      await store.put(kept, Buffer.from('kept'), options);
      const error = new Error('cut short');
      await expect(store.put(fresh, breaking(error), options)).rejects.toBe(error);
      await expect(store.put(kept, breaking(error), options)).rejects.toBe(error);
      await expect(store.put(kept, Buffer.alloc(10_001), options)).rejects.toThrow();
      expect(await store.stat(fresh)).toBeNull();
      expect(await text(kept)).toBe('kept');
    });

    test('stops when it is told to, also while the source is silent', async () => {
      const key = newKey();
      const stop = new AbortController();
      async function* silent(): AsyncGenerator<Uint8Array> {
        yield Buffer.from('a part');
        stop.abort();
        await new Promise(() => undefined);
      }
      await expect(
        store.put(key, silent(), { ...options, signal: stop.signal }),
      ).rejects.toMatchObject({ name: 'AbortError' });
      expect(await store.stat(key)).toBeNull();
    });

    test('closes a source that it does not come to read', async () => {
      const source = Readable.from(['never read']);
      const signal = AbortSignal.abort();
      await expect(store.put(newKey(), source, { ...options, signal })).rejects.toThrow();
      expect(source.destroyed).toBe(true);
    });

    test('deletes, and bears deleting what is not there', async () => {
      const [key, other] = [newKey(), newKey()];
      await store.put(key, Buffer.from('x'), options);
      await store.put(other, Buffer.from('y'), options);
      await store.delete(key);
      await store.delete(key);
      expect(await store.stat(key)).toBeNull();
      expect(await store.open(key)).toBeNull();
      expect(await text(other)).toBe('y');
      await store.put(key, Buffer.from('again'), options);
      expect(await text(key)).toBe('again');
    });

    test('does not know a file that was never put', async () => {
      expect(await store.stat(newKey())).toBeNull();
      expect(await store.open(newKey())).toBeNull();
    });

    test.each([
      '../secret.txt',
      'outputs/../../secret.txt',
      '/etc/passwd',
      'outputs//0.mp4',
      'outputs/./0.mp4',
      'outputs/gen_a/0.mp4/',
      'outputs/gen_a/0',
      'outputs\\gen_a\\0.mp4',
      'outputs/gen_a/0.mp4\0',
      'outputs/gen_a/%2e%2e.mp4',
      'outputs/Gen_A/0.mp4',
      'outputs/gen_a/0.mp4.json',
      '0.mp4',
      '',
    ])('refuses %p as a key', async (key) => {
      await expect(store.put(key, Buffer.from('x'), options)).rejects.toThrow('not a key');
      await expect(store.open(key)).rejects.toThrow('not a key');
      await expect(store.stat(key)).rejects.toThrow('not a key');
      await expect(store.delete(key)).rejects.toThrow('not a key');
    });
  });
}
