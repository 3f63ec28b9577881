import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { LocalFile } from '@framegate/media';
import { createPieces, sendLocalFile } from '../../gateway/src/http/media/sendLocalFile.ts';
import { until } from '../support/until.ts';

let server: Server | undefined;
/** Files that are not closed. */
let open = 0;
/** Positions that were read. */
let reads: number[] = [];
let failure: unknown;

afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((done) => (server ? server.close(done) : done(null)));
  server = undefined;
  expect(open).toBe(0);
  [reads, failure] = [[], undefined];
});

/** A file of this many bytes, each of which is its number's part. */
function fileOf(number: number, read?: LocalFile['read']): LocalFile {
  open += 1;
  let isClosed = false;
  return {
    async read(into, position) {
      reads.push(position);
      if (read) return read(into, position);
      for (let at = 0; at < into.length; at += 1) into[at] = (position + at + number) % 251;
      return into.length;
    },
    close() {
      if (!isClosed) open -= 1;
      isClosed = true;
    },
  };
}

const bytesOf = (number: number, size: number) =>
  Buffer.from(Array.from({ length: size }, (_, at) => (at + number) % 251));

/** Serves files by number at `/number/size`. */
async function serve(read?: LocalFile['read'], pieces = createPieces()): Promise<number> {
  const own = createServer((req, res) => {
    const [, number = '', size = ''] = (req.url ?? '').split('/');
    res.setHeader('Content-Length', size);
    const part = { start: 0, end: Number(size) - 1 };
    sendLocalFile(res, fileOf(Number(number), read), part, pieces)
      .then(({ sending }) => sending)
      .catch((error: unknown) => {
        failure = error;
        res.destroy();
      });
  }).listen(0, '127.0.0.1');
  server = own;
  await once(own, 'listening');
  return (own.address() as AddressInfo).port;
}

const get = async (port: number, path: string): Promise<Buffer> => {
  const response = await new Promise<IncomingMessage>((answered, failed) => {
    request({ port, path, host: '127.0.0.1' }, answered).on('error', failed).end();
  });
  return buffer(response);
};

describe('a local file', () => {
  test('of any size is sent exactly, also while many share the memory', async () => {
    const taken = new Set<Buffer>();
    const pieces = createPieces();
    const take = () => {
      const piece = pieces.take();
      taken.add(piece);
      return piece;
    };
    const port = await serve(undefined, { ...pieces, take });
    for (let round = 0; round < 3; round += 1) {
      const sizes = [1, 131_071, 131_072, 131_073, 400_000, 64];
      const whole = sizes.map(async (size, number) => {
        expect((await get(port, `/${number}/${size}`)).equals(bytesOf(number, size))).toBe(true);
      });
      await Promise.all(whole);
    }
    // Eighteen responses, and never more than six at once.
    expect(taken.size).toBeLessThanOrEqual(6);
  });

  test('is read in several calls if one returns less', async () => {
    const port = await serve(async (into, position) => {
      into[0] = position;
      return 1;
    });
    expect([...(await get(port, '/0/5'))]).toEqual([0, 1, 2, 3, 4]);
  });

  test('is read no further than its client reads, and closed when the client disconnects', async () => {
    const port = await serve();
    const size = 1e9;
    const client = connect(port, '127.0.0.1', () => {
      client.pause().write(`GET /0/${size} HTTP/1.1\r\nHost: a\r\n\r\n`);
    });
    const [socket] = (await once(server as Server, 'connection')) as [{ writableLength: number }];
    await until(() => socket.writableLength > 0);
    const count = reads.length;
    expect(count * 131_072).toBeLessThan(size / 10);
    expect(socket.writableLength).toBeLessThan(2 * 131_072);
    client.destroy();
    await until(() => open === 0);
    expect(reads.length).toBeLessThanOrEqual(count + 1);
  });

  test.each([
    ['released once the system has taken it', true],
    ['dropped if the connection closes before', false],
  ])('memory is %s', async (_, isTaken) => {
    const given: Buffer[] = [];
    let taken: () => void = () => undefined;
    const end = (__: Buffer, done: () => void) => {
      taken = done;
    };
    const res = Object.assign(new EventEmitter(), { closed: false, end });
    const pieces = { ...createPieces(), release: (piece: Buffer) => given.push(piece) };
    const part = { start: 0, end: 9 };
    const { sending } = await sendLocalFile(res as never, fileOf(0), part, pieces);
    await new Promise(setImmediate);
    expect(given.length).toBe(0);
    if (isTaken) taken();
    else res.emit('close');
    await sending;
    expect(given.length).toBe(isTaken ? 1 : 0);
  });

  test.each([
    ['that fails', () => Promise.reject(new Error('the disk is gone')), /disk is gone/],
    ['that is too short', () => Promise.resolve(0), /shorter than its label/],
  ])('%s closes the connection, and its memory is not reused', async (_, end, message) => {
    const given: Buffer[] = [];
    const pieces = { ...createPieces(), release: (piece: Buffer) => given.push(piece) };
    const port = await serve(
      (into, position) => (position > 0 ? end() : Promise.resolve(into.length)),
      pieces,
    );
    await expect(get(port, '/0/300000')).rejects.toThrow('aborted');
    expect([String(failure), given]).toEqual([expect.stringMatching(message), []]);
  });
});
