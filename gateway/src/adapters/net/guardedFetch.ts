import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Agent, request } from 'undici';
import { minuteMs } from '@framegate/contract';
import { fileRequestHeaders, receiveBody, TransferError, transferError } from '@framegate/limits';
import type { FetchUrl } from '@framegate/media';
import { type HostOverride, parseInputUrl } from '../../domain/network/inputUrl.ts';
import { createGuardedConnector, resolveByDns, type ResolveHost } from './guardedConnector.ts';

/** Time limits of a fetch, in ms. */
export interface FetchPatience {
  /** DNS, TCP and TLS together. */
  connectMs: number;
  /** Limit from the request to the end of the headers. */
  headersMs: number;
  /** Between two chunks of the body. */
  bodyMs: number;
  /** Limit in total. */
  totalMs: number;
}

const defaultPatience: FetchPatience = {
  connectMs: 10_000,
  headersMs: 20_000,
  bodyMs: 15_000,
  totalMs: minuteMs,
};

/** Options of the guarded client, from the operator and from tests. */
export interface GuardedFetchOptions {
  /** The setting INPUT_HOST_OVERRIDES, by host in lower case. */
  hostOverrides: ReadonlyMap<string, HostOverride>;
  /** Hosts served from a folder, in lower case. */
  bundledHosts: ReadonlyMap<string, string>;
  extraCa?: readonly string[];
  resolveHost?: ResolveHost;
  patience?: Partial<FetchPatience>;
}

/**
 * Creates the only client for customers' URLs: it checks the URL again, opens a new connection through the
 * guarded connector, follows no redirect, and limits bytes and time.
 */
export function createGuardedFetch(options: GuardedFetchOptions): FetchUrl {
  const patience = { ...defaultPatience, ...options.patience };
  const { connect } = createGuardedConnector({
    policy: 'public-https',
    resolveHost: options.resolveHost ?? resolveByDns,
    hostOverrides: options.hostOverrides,
    extraCa: options.extraCa ?? [],
    connectMs: patience.connectMs,
  });
  const dispatcher = new Agent({
    connect,
    headersTimeout: patience.headersMs,
    bodyTimeout: patience.bodyMs,
    pipelining: 0,
  });
  return async (text, { maxBytes, signal }) => {
    const parsed = parseInputUrl(text);
    if (!parsed.ok) throw new TransferError('unreachable', parsed.reason);
    const url = new URL(parsed.url);
    const folder = options.bundledHosts.get(parsed.host);
    if (folder !== undefined) return openBundledFile(folder, url.pathname, maxBytes);
    const limit = AbortSignal.any([signal, AbortSignal.timeout(patience.totalMs)]);
    try {
      const response = await request(url, {
        dispatcher,
        signal: limit,
        headers: fileRequestHeaders,
      });
      return receiveBody(response, { maxBytes, signal });
    } catch (error) {
      throw transferError(error, signal);
    }
  };
}

const plainName = /^\/([a-z0-9][a-z0-9-]{0,80}\.[a-z0-9]{2,4})$/;

/**
 * Serves a URL on a bundled host, such as the demo's samples, from a folder: only plain file names directly in it.
 * @throws TransferError if the file does not exist or is too large.
 */
async function openBundledFile(
  folder: string,
  pathname: string,
  maxBytes: number,
): Promise<Readable> {
  const name = plainName.exec(pathname)?.[1];
  const handle = name === undefined ? null : await open(join(folder, name)).catch(() => null);
  const stats = await handle?.stat();
  if (handle && stats?.isFile() && stats.size <= maxBytes) return handle.createReadStream();
  await handle?.close();
  if (stats?.isFile()) throw new TransferError('too_large', `${stats.size} bytes`);
  throw new TransferError('unreachable', 'no such bundled file');
}
