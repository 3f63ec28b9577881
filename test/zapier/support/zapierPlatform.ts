import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';

/**
 * The core's requests to Zapier's own servers: the cache, the place for files, and the log. It is the
 * protocol of the core's RPC client; everything is kept in memory and can be looked at.
 */
export interface ZapierPlatform {
  /** URL for `rpc_base` and `LOGGING_ENDPOINT`. */
  rpcUrl: string;
  logUrl: string;
  /** Values of z.cache, as JSON. */
  cache: Map<string, string>;
  /** When true, z.cache.set responses false, as when it is rate-limited. */
  cacheIsFull: boolean;
  /** Files stashed, in order. */
  files: { name: string; type: string; bytes: Buffer }[];
  /** Everything that was logged. */
  logged: string[];
  close(): Promise<void>;
}

interface Rpc {
  id: string;
  method: string;
  params: unknown[];
}

export async function startZapierPlatform(): Promise<ZapierPlatform> {
  const server = createServer((request, response) => {
    void respond(request).then(({ status, body }) => {
      response.writeHead(status, body === undefined ? {} : { 'content-type': 'application/json' });
      response.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const platform: ZapierPlatform = {
    rpcUrl: `${origin}/rpc`,
    logUrl: `${origin}/log`,
    cache: new Map(),
    cacheIsFull: false,
    files: [],
    logged: [],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  async function respond(request: IncomingMessage): Promise<{ status: number; body?: string }> {
    if (request.url === '/log') {
      // The core aborts its log after some time.
      request.on('data', (chunk: Buffer) => platform.logged.push(chunk.toString()));
      await finished(request).catch(() => undefined);
      return { status: 200, body: '{}' };
    }
    if (request.url === '/files') {
      platform.files.push(readUpload(await buffer(request)));
      return { status: 204 };
    }
    const rpc = JSON.parse(await text(request)) as Rpc;
    return { status: 200, body: JSON.stringify({ id: rpc.id, result: call(rpc) }) };
  }

  function call({ method, params }: Rpc): unknown {
    const [key, value] = params as string[];
    switch (method) {
      case 'zcache_get':
        return platform.cache.get(key ?? '') ?? null;
      case 'zcache_set':
        if (platform.cacheIsFull) return false;
        platform.cache.set(key ?? '', value ?? '');
        return true;
      case 'zcache_delete':
        return platform.cache.delete(key ?? '');
      case 'get_presigned_upload_post_data':
        return { url: `${origin}/files`, fields: { key: `copy-${platform.files.length}` } };
      default:
        throw new Error(`unknown RPC ${method}`);
    }
  }
  return platform;
}

/** The file of a multipart upload: its last part. */
function readUpload(body: Buffer): ZapierPlatform['files'][number] {
  const boundary = body.subarray(0, body.indexOf('\r\n'));
  const start = body.lastIndexOf(Buffer.concat([boundary, Buffer.from('\r\n')]));
  const from = body.indexOf('\r\n\r\n', start);
  const head = body.subarray(start, from).toString();
  const end = body.indexOf(Buffer.concat([Buffer.from('\r\n'), boundary]), from + 4);
  return {
    name: /filename="([^"]*)"/.exec(head)?.[1] ?? '',
    type: /content-type: (.*)/i.exec(head)?.[1]?.trim() ?? '',
    bytes: body.subarray(from + 4, end),
  };
}
