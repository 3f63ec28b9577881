import { Readable } from 'node:stream';
import type { MediaStore } from '@framegate/media';

/** An in-memory media store that can be made unavailable. */
export interface MemoryMedia {
  /** Each file's bytes, as text. */
  files: Map<string, string>;
  isAway: boolean;
  store: Pick<MediaStore, 'put' | 'stat' | 'open' | 'delete'>;
}

/** Creates an empty store; while it is unavailable, nothing is stored or read. */
export function createMemoryMedia(): MemoryMedia {
  const files = new Map<string, string>();
  const about = { bytes: 1, contentType: '', etag: '' };
  const refuse = () => {
    if (media.isAway) throw new Error('the bucket is away');
  };
  const media: MemoryMedia = {
    files,
    isAway: false,
    store: {
      async put(key, data: AsyncIterable<Uint8Array> | Uint8Array) {
        refuse();
        const parts = data instanceof Uint8Array ? [data] : await Readable.from(data).toArray();
        files.set(key, Buffer.concat(parts as Uint8Array[]).toString());
        return { bytes: 1, sha256: 'x' };
      },
      async stat(key) {
        refuse();
        return files.has(key) ? about : null;
      },
      async open(key) {
        const found = files.get(key);
        if (found === undefined) return null;
        return { ...about, stream: Readable.from([Buffer.from(found)]) };
      },
      async delete(key) {
        files.delete(key);
      },
    },
  };
  return media;
}
