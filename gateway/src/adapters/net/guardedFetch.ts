import { Transform } from 'node:stream';
import { Agent, type Dispatcher, request } from 'undici';
import type { FetchUrl } from '../../application/ports/transfer.ts';
import { TransferFailure } from '../../application/ports/transfer.ts';
import { parseInputUrl } from '../../domain/inputUrl.ts';
import { createGuardedConnector, type HostOverride } from './guardedConnector.ts';
import { openBundledFile } from './openBundledFile.ts';
import { resolveHost, type ResolveHost } from './resolveHost.ts';

/** How long each part of a fetch may take, in ms. */
export interface FetchPatience {
  /** DNS, TCP and TLS together. */
  connectMs: number;
  /** From the request to the end of the headers. */
  headersMs: number;
  /** Between two pieces of the body. */
  bodyMs: number;
  /** The whole (design section 4: 60 s). */
  totalMs: number;
}

const patient: FetchPatience = {
  connectMs: 10_000,
  headersMs: 20_000,
  bodyMs: 15_000,
  totalMs: 60_000,
};

/** What the guarded client is told by the operator, and by tests. */
export interface GuardedFetchOptions {
  /** Setting INPUT_HOST_OVERRIDES, by host in lower case. */
  hostOverrides: ReadonlyMap<string, HostOverride>;
  /** Hosts that are answered from a folder, by host in lower case. */
  bundledHosts: ReadonlyMap<string, string>;
  extraCa?: readonly string[];
  resolveHost?: ResolveHost;
  patience?: Partial<FetchPatience>;
}

/**
 * Makes the only client for URLs that customers give (design sections 4 and 7): it judges the URL
 * again, opens a fresh connection by the guarded connector, follows no redirect, takes status 200
 * without content coding only, and counts bytes and time.
 */
export function createGuardedFetch(options: GuardedFetchOptions): FetchUrl {
  const patience = { ...patient, ...options.patience };
  const dispatcher = new Agent({
    connect: createGuardedConnector({
      hostOverrides: options.hostOverrides,
      resolveHost: options.resolveHost ?? resolveHost,
      extraCa: options.extraCa ?? [],
      connectMs: patience.connectMs,
    }),
    headersTimeout: patience.headersMs,
    bodyTimeout: patience.bodyMs,
    pipelining: 0,
  });
  return async (text, { maxBytes, signal }) => {
    const judged = parseInputUrl(text);
    if (!judged.ok) throw new TransferFailure('unreachable', judged.reason);
    const url = new URL(judged.url);
    const folder = options.bundledHosts.get(judged.host);
    if (folder !== undefined) return openBundledFile(folder, url.pathname, maxBytes);
    const limit = AbortSignal.any([signal, AbortSignal.timeout(patience.totalMs)]);
    try {
      const answer = await request(url, {
        dispatcher,
        signal: limit,
        headers: {
          accept: 'image/*, video/*, audio/*',
          'accept-encoding': 'identity',
          'user-agent': 'Framegate-Inputs/1.0',
        },
      });
      return takeBody(answer, maxBytes, signal);
    } catch (error) {
      throw asFailure(error, signal);
    }
  };
}

/** Hands on the body of a good answer, counting it; closes every other. */
function takeBody(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  maxBytes: number,
  signal: AbortSignal,
): Transform {
  const close = (failure: TransferFailure): never => {
    body.on('error', () => undefined).destroy();
    throw failure;
  };
  const coding = String(headers['content-encoding'] ?? 'identity').toLowerCase();
  const tooLarge = new TransferFailure('too_large', `more than ${maxBytes} bytes`);
  if (statusCode !== 200) close(new TransferFailure('unreachable', `status ${statusCode}`));
  if (coding !== 'identity') close(new TransferFailure('unreachable', `content coding ${coding}`));
  if (Number(headers['content-length'] ?? 0) > maxBytes) close(tooLarge);
  let bytes = 0;
  const counted = new Transform({
    transform(chunk: Uint8Array, _, done) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) done(tooLarge);
      else done(null, chunk);
    },
  });
  body.on('error', (error) => counted.destroy(asFailure(error, signal)));
  counted.on('close', () => body.destroy());
  return body.pipe(counted);
}

/** Our caller's own abort stays what it is; everything else means that the file was not got. */
function asFailure(error: unknown, signal: AbortSignal): Error {
  if (signal.aborted) return signal.reason as Error;
  if (error instanceof TransferFailure) return error;
  const { code, message } = error as Partial<NodeJS.ErrnoException>;
  return new TransferFailure('unreachable', `${code ?? ''} ${message ?? ''}`.trim());
}
