import { createHash } from 'node:crypto';
import type { Experimental_VideoModelV4VideoData as VideoData } from '@ai-sdk/provider';
import { request } from 'undici';
import { minuteMs } from '@framegate/contract';
import { fileRequestHeaders, receiveBody, TransferError, transferError } from '@framegate/limits';
import { decodeBase64, decodeDataUrl } from './base64.ts';
import { chargeIn, type ChargePlace, decimal, maxBodyCharacters } from './charges.ts';
import { type Exchange, lastResponse, type RecordedCall } from './exchanges.ts';
import type { PresentKey } from './ownRequests.ts';
import { type ProviderHttp, RequestBlockedError } from './providerHttp.ts';
import { redactResponse } from './redact.ts';
import type { ProviderOutput } from './route.ts';
import { fieldsOf, parseJson } from './unknownJson.ts';

/** Largest video downloaded from a provider, in bytes. */
const maxBytes = 1024 * 1024 * 1024;
/** Time limit of a download, in ms. */
const downloadMs = 10 * minuteMs;
const maxRedirects = 3;
const redirects: readonly number[] = [301, 302, 303, 307, 308];

/**
 * Finished videos from the provider's package.
 * @param http Null for a local renderer.
 * @param present Presents the key for files that the API itself serves.
 */
export function videoOutputs(
  videos: readonly VideoData[],
  http: ProviderHttp | null,
  present?: PresentKey,
): ProviderOutput[] {
  return videos.flatMap((video) => {
    if (video.type === 'uploaded') return [];
    if (video.type !== 'url') return [fromData(video.data)];
    return http ? [fromUrl(video.url, http, http.isApi(video.url) ? present : undefined)] : [];
  });
}

/**
 * Finished images: bytes, base64, or URLs. Bytes that the package has downloaded can be fetched again; of others
 * there is no other copy.
 * @param exchanges The requests of the call, with its downloads.
 * @param present Presents the key for files that the API itself serves.
 */
export function imageOutputs(
  images: readonly (string | Uint8Array)[],
  http: ProviderHttp | null,
  exchanges: readonly Exchange[],
  present?: PresentKey,
): ProviderOutput[] {
  return images.map((image) => {
    if (typeof image === 'string') {
      const isUrl = http !== null && /^https?:\/\//i.test(image);
      if (!isUrl) return { ...fromData(image), isOnlyCopy: true };
      return fromUrl(image, http, http.isApi(image) ? present : undefined);
    }
    const hash = createHash('sha256').update(image).digest('hex');
    const download = exchanges.find(({ file }) => file?.sha256 === hash)?.file;
    return download && http
      ? fromUrl(download.url, http, undefined, image)
      : { ...fromData(image), isOnlyCopy: true };
  });
}

/** A file inside a response. @throws TransferError from `read` if it cannot be decoded. */
function fromData(data: Uint8Array | string): ProviderOutput {
  return {
    read: async (signal) => {
      signal.throwIfAborted();
      if (typeof data !== 'string') return data;
      return decodeBase64(data) ?? notDecoded('neither base64 nor an address');
    },
  };
}

function notDecoded(message: string): never {
  throw new TransferError('unreachable', message);
}

/**
 * A finished file at a provider's URL. It is fetched, including redirects, only from media hosts and without
 * credentials except those in the URL; size and time are limited. A `data:` URL is decoded.
 * @param present Presents the key for the URL itself, if the API serves the files.
 * @param fetched Its bytes, if they have been fetched once.
 */
export function fromUrl(
  url: string,
  http: ProviderHttp,
  present?: PresentKey,
  fetched: Uint8Array | null = null,
): ProviderOutput {
  if (/^data:/i.test(url)) {
    return { read: async () => decodeDataUrl(url) ?? notDecoded('an unreadable data: URL') };
  }
  const host = URL.parse(url)?.host;
  let atHand = fetched;
  return {
    ...(host !== undefined && { host }),
    forget() {
      atHand = null;
    },
    async read(signal) {
      signal.throwIfAborted();
      if (atHand) return atHand;
      const limit = AbortSignal.any([signal, AbortSignal.timeout(downloadMs)]);
      try {
        const response = await followRedirects(url, http, present, limit);
        return receiveBody(response, { maxBytes, signal });
      } catch (error) {
        throw withHost(host, transferError(error, signal));
      }
    },
  };
}

/** Adds the file's host to the failure, for staff; the URL itself may contain a signature. */
function withHost(host = 'an address that cannot be read', failure: Error): Error {
  if (!(failure instanceof TransferError)) return failure;
  return new TransferError(failure.kind, `${failure.message} from ${host}`);
}

async function followRedirects(
  first: string,
  http: ProviderHttp,
  present: PresentKey | undefined,
  signal: AbortSignal,
) {
  let url = first;
  for (let hop = 0; hop <= maxRedirects; hop += 1) {
    if (!http.isMedia(url)) {
      throw new RequestBlockedError(`${URL.parse(url)?.host ?? 'the URL'} is not in mediaHosts`);
    }
    const headers = new Headers(fileRequestHeaders);
    const presented = hop === 0 ? await present?.({ method: 'GET', url, headers }) : undefined;
    const response = await request(http.resolve(presented?.url ?? url), {
      headers: { ...fileRequestHeaders, ...presented?.headers },
      signal,
      dispatcher: http.dispatchers.downloads,
    });
    const { location } = response.headers;
    if (!redirects.includes(response.statusCode) || typeof location !== 'string') return response;
    await response.body.dump({ limit: 65_536 });
    url = new URL(location, url).href;
  }
  throw new TransferError('unreachable', 'too many redirects');
}

/** Limits on kept figures: characters, number, depth. */
const maxCharacters = 2_000;
const maxFigures = 60;
const maxDepth = 6;

/** Parts of a response in which providers report usage. */
const figureNames = /^(usage|metrics|billing|billed_?\w*|costs?|price|credits?)$/i;
/** Numbers without meaning for the result. */
const idleNames = /^(seed|created|created_?at|timestamp|has_nsfw_concepts)$/i;
/** Fields with people's words or credentials; token counts are neither. */
const hiddenNames =
  /prompt|text|caption|secret|password|authorization|signature|credential|cookie|api[-_]?key|access[-_]?key|token$/i;

/** The details of a call for staff: its last response, and the figures and the charge that it reported. */
export function detailsOf(
  { exchanges, ...call }: RecordedCall<Parameters<typeof reportedFigures>[0]>,
  apiKey: string,
  place: ChargePlace | undefined,
) {
  const charged = place && chargeIn(place, exchanges);
  return {
    ...lastResponse(exchanges, apiKey),
    ...reportedFigures(call.ok ? call.value : null, exchanges, apiKey),
    ...(charged && { charged }),
  };
}

/**
 * Usage figures reported by a provider, for staff: from the values returned by its package (usage, metadata) and from
 * its last JSON response, and nothing else from these, which may quote the prompt.
 */
export function reportedFigures(
  handedOver: { usage?: unknown; providerMetadata?: unknown } | null,
  exchanges: readonly Exchange[],
  apiKey: string,
): { reported?: string } {
  const { usage, providerMetadata: metadata } = handedOver ?? {};
  let left = maxFigures;

  function figuresIn(value: unknown, depth = 0): unknown {
    if (typeof value === 'number' ? Number.isFinite(value) : typeof value === 'boolean') {
      return (left -= 1) >= 0 ? value : undefined;
    }
    if (typeof value === 'string') {
      return decimal.test(value) && (left -= 1) >= 0 ? value : undefined;
    }
    if (typeof value !== 'object' || value === null || depth >= maxDepth) return undefined;
    const isSafe = ([name, member]: [string, unknown]) =>
      name.length <= 60 &&
      !idleNames.test(name) &&
      !(hiddenNames.test(name) && typeof member !== 'number');
    const safeMembers = Object.entries(value)
      .filter(isSafe)
      .map(([name, member]) => [name, figuresIn(member, depth + 1)] as const)
      .filter(([, member]) => member !== undefined);
    if (safeMembers.length === 0) return undefined;
    return Array.isArray(value)
      ? safeMembers.map(([, member]) => member)
      : Object.fromEntries(safeMembers);
  }

  const body = exchanges.at(-1)?.body ?? null;
  const response =
    body === null || body.length > maxBodyCharacters ? null : namedFigures(parseJson(body));
  const figures = figuresIn({ usage, metadata, response });
  if (figures === undefined) return {};
  const text = redactResponse(JSON.stringify(figures), apiKey);
  return { reported: text.length > maxCharacters ? `${text.slice(0, maxCharacters - 1)}…` : text };
}

/** The members of a response, down to two levels, that are named like figures. */
function namedFigures(response: unknown): Record<string, unknown> {
  const members = Object.entries(fieldsOf(response));
  const inner = members.flatMap(([, member]) => Object.entries(fieldsOf(member)));
  return Object.fromEntries([...inner, ...members].filter(([name]) => figureNames.test(name)));
}
