import { describe, expect, test } from '@jest/globals';
import { InputUnreadableError, withInputFiles } from './inputFiles.ts';
import type { ProviderInput } from './route.ts';

/** An input in the store. */
function stored(type: ProviderInput['type'], url: string, read = async () => Buffer.from('bytes')) {
  return { type, role: 'reference' as const, mediaType: `${type}/x`, read, url: () => url };
}

const isNearHost = (host: string) => host === '127.0.0.1';

async function kinds(
  url: string,
  options: { takesBytesOnly?: boolean; reachesPrivate?: boolean } = {},
): Promise<string[]> {
  const inputs = (['image', 'video', 'audio'] as const).map((type) => stored(type, url));
  const all = { takesBytesOnly: false, reachesPrivate: false, isNearHost, ...options };
  return withInputFiles(inputs, all, async (prepared) => prepared.map(({ file }) => file.type));
}

describe('withInputFiles', () => {
  test('passes our URLs on where anyone can read them', async () => {
    expect(await kinds('https://media.example/1')).toEqual(['url', 'url', 'url']);
  });

  test.each(['http://media.example/1', 'https://127.0.0.1/1'])(
    'passes the bytes of pictures instead of %s',
    async (url) => {
      expect(await kinds(url)).toEqual(['file', 'url', 'url']);
    },
  );

  test('passes bytes where nothing else is accepted, and URLs to hosts as near as we are', async () => {
    expect(await kinds('https://media.example/1', { takesBytesOnly: true })).toEqual([
      'file',
      'url',
      'url',
    ]);
    expect(await kinds('http://127.0.0.1/1', { reachesPrivate: true })).toEqual([
      'url',
      'url',
      'url',
    ]);
  });

  test('reports an input that cannot be read or exceeds the memory', async () => {
    const gone = stored('image', 'http://a/1', () => Promise.reject(new Error('it is gone')));
    const huge = stored('image', 'http://a/1', async () => Buffer.alloc(40 * 1024 * 1024));
    const options = { takesBytesOnly: true, reachesPrivate: false, isNearHost };
    const never = () => Promise.reject(new Error('not reached'));
    await expect(withInputFiles([gone], options, never)).rejects.toThrow(InputUnreadableError);
    await expect(withInputFiles([huge, huge], options, never)).rejects.toThrow(
      InputUnreadableError,
    );
  });

  test('holds the bytes of three requests at a time, and continues after failures', async () => {
    let held = 0;
    let max = 0;
    const releases: (() => void)[] = [];
    const options = { takesBytesOnly: true, reachesPrivate: false, isNearHost };
    const all = Array.from({ length: 8 }, (_, index) =>
      withInputFiles([stored('image', 'http://a/1')], options, async () => {
        held += 1;
        max = Math.max(max, held);
        await new Promise<void>((resolve) => releases.push(resolve));
        held -= 1;
        if (index % 2 === 0) throw new Error('refused');
        return index;
      }),
    );
    const settled = Promise.allSettled(all);
    let done = 0;
    while (done < all.length) {
      await new Promise((resolve) => setImmediate(resolve));
      for (const release of releases.splice(0)) {
        release();
        done += 1;
      }
    }
    expect((await settled).filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
    expect(max).toBe(3);
  });
});
