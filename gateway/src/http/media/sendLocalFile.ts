import type { ServerResponse } from 'node:http';
import type { LocalFile } from '@framegate/media';

/** Bytes read and sent at once: most ranges requested by players, and every poster, fit into one piece. */
const pieceBytes = 128 * 1024;
/** Maximum pieces kept while no response needs them: 4 MiB. */
const maxSpares = 32;

/** Memory reused by responses: allocating a piece for each read would account for most garbage collection. */
export interface Pieces {
  take(): Buffer;
  /** Takes back a piece once nothing reads or writes it. */
  release(piece: Buffer): void;
}

/** Creates the memory of one process. */
export function createPieces(): Pieces {
  const spares: Buffer[] = [];
  return {
    take: () => spares.pop() ?? Buffer.allocUnsafeSlow(pieceBytes),
    release(piece) {
      if (spares.length < maxSpares) spares.push(piece);
    },
  };
}

/**
 * Sends bytes of a file, from `start` to `end` inclusive, as the body of a response whose headers are set. A response
 * has one piece in memory and reads the next once the operating system has taken it. Closes the file.
 * @returns Once the first piece is read, with the rest of the work, which also ends when the client disconnects.
 * @throws Errors of the file; then nothing has been sent.
 */
export async function sendLocalFile(
  res: ServerResponse,
  file: LocalFile,
  { start, end }: { start: number; end: number },
  pieces: Pieces,
): Promise<{ sending: Promise<void> }> {
  const piece = pieces.take();
  const read = async (position: number) => {
    const target = piece.subarray(0, Math.min(pieceBytes, end + 1 - position));
    const count = await file.read(target, position);
    if (count === 0) throw new Error('a stored file is shorter than its label says');
    return target.subarray(0, count);
  };
  const send = async (first: Buffer) => {
    try {
      let [bytes, next] = [first, start + first.length];
      while (next <= end) {
        if (!(await isTaken(res, 'write', bytes))) return;
        bytes = await read(next);
        next += bytes.length;
      }
      file.close();
      // A piece of a broken connection may still be in use.
      if (await isTaken(res, 'end', bytes)) pieces.release(piece);
    } finally {
      file.close();
    }
  };
  try {
    return { sending: send(await read(start)) };
  } catch (error) {
    file.close();
    throw error;
  }
}

/** Whether the operating system takes the bytes; false if the connection closes first. */
const isTaken = (res: ServerResponse, how: 'write' | 'end', bytes: Buffer): Promise<boolean> =>
  new Promise((resolve) => {
    if (res.closed) {
      resolve(false);
      return;
    }
    const lose = () => {
      resolve(false);
    };
    res.once('close', lose);
    res[how](bytes, (error?: Error | null) => {
      res.off('close', lose);
      resolve(!error);
    });
  });
