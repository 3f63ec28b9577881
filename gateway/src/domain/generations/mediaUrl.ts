import { createHmac } from 'node:crypto';
import { dayMs, hourMs, minuteMs } from '@framegate/contract';
import { equalInConstantTime, firstSecret, type VersionedSecret } from '../accounts/apiKey.ts';
import { isId } from '../ids.ts';

/** Widths of an output's posters, in pixels. */
export const posterWidths = [320, 960] as const;

/** The width of a poster, in pixels. */
export type PosterWidth = (typeof posterWidths)[number];

/**
 * The purposes of media URLs: customers read `outputs` and posters, providers read `inputs` for a short time. The
 * purpose is signed, so a URL cannot be converted to another purpose.
 */
export const mediaPurposes = ['outputs', 'inputs', 'posters_320', 'posters_960'] as const;

/** The purpose that a media URL is signed for. */
export type MediaPurpose = (typeof mediaPurposes)[number];

/** File number `index` of a generation, with the extension of its type. */
export interface MediaName {
  generationId: string;
  index: number;
  extension: string;
}

/** A media URL and its expiry, in ms since the epoch. */
export interface SignedUrl {
  url: string;
  expiresAt: number;
}

/** The verdict on a media URL: valid until a time in ms since the epoch, expired, or never ours. */
export type MediaUrlVerdict =
  (MediaName & { ok: true; expiresAt: number }) | { ok: false; reason: 'expired' | 'invalid' };

const invalid: MediaUrlVerdict = { ok: false, reason: 'invalid' };

/** Validity of an output URL from the start of its hour, in ms. */
export const outputUrlMs = dayMs;

const fileName = /^(0|[1-9]\d{0,2})\.([a-z0-9]{2,4})$/;

/** The key of a file in the media store. */
export function mediaKey(
  purpose: MediaPurpose,
  { generationId, index, extension }: MediaName,
): string {
  return `${purpose}/${generationId}/${index}.${extension}`;
}

/** The key of a poster of an output; for a raw result, the key of its preview, which no URL serves. */
export function posterKey(fileKey: string, width: PosterWidth): string {
  return fileKey
    .replace(/^outputs\/(.*)\.\w+$/, `posters_${width}/$1.webp`)
    .replace(/^(arrived\/.*)\.raw$/, `$1_${width}.webp`);
}

/** The time, in ms since the epoch, since when URLs of outputs are unchanged. */
export const startOfHour = (nowMs: number): number => Math.floor(nowMs / hourMs) * hourMs;

/**
 * Signs the URL of an output or of one of its posters for a customer. All reads within a clock hour get the same URL,
 * valid until 24 hours after the start of that hour or until the output is deleted, whichever comes first, in whole
 * seconds. The first key signs.
 */
export function signOutputUrl(
  output: MediaName & {
    /** MEDIA_URL, without a trailing slash. */
    mediaUrl: string;
    signingKeys: readonly VersionedSecret[];
    nowMs: number;
    removedAt: number;
  },
  posterWidth?: PosterWidth,
): SignedUrl {
  const until = Math.min(startOfHour(output.nowMs) + outputUrlMs, output.removedAt);
  return posterWidth === undefined
    ? sign('outputs', output, until)
    : sign(`posters_${posterWidth}`, { ...output, extension: 'webp' }, until);
}

/** Signs the URL of a stored input for a provider, valid for `validMs` from now. */
export function signInputUrl(
  input: MediaName & {
    /** MEDIA_URL, without a trailing slash. */
    mediaUrl: string;
    signingKeys: readonly VersionedSecret[];
    nowMs: number;
    validMs: number;
  },
): SignedUrl {
  return sign('inputs', input, input.nowMs + input.validMs);
}

/** The alternative URL of files, served by the operator's own server or CDN, and the secret shared with it. */
export interface RedirectTo {
  /** URL without a trailing slash. */
  url: string;
  secret: string;
}

/**
 * All redirects within this span lead to one URL, so that a CDN can cache it; it is valid for one to two spans,
 * in ms.
 */
const redirectSpanMs = 5 * minuteMs;

/**
 * Signs a file's URL at a CDN: the HMAC-SHA256 of its path and expiry, joined by a line feed. The URL reveals
 * neither the store nor its keys.
 */
export function signRedirect(
  { url, secret }: RedirectTo,
  file: { key: string; nowMs: number; expiresAt: number },
): SignedUrl {
  const untilMs = (Math.floor(file.nowMs / redirectSpanMs) + 2) * redirectSpanMs;
  const expiresSeconds = Math.floor(Math.min(untilMs, file.expiresAt) / 1000);
  const signedUrl = new URL(`${url}/${file.key}`);
  const signed = `${signedUrl.pathname}\n${expiresSeconds}`;
  const token = createHmac('sha256', secret).update(signed).digest('base64url');
  signedUrl.search = `expires=${expiresSeconds}&token=${token}`;
  return { url: signedUrl.href, expiresAt: expiresSeconds * 1000 };
}

/**
 * Verifies the path and query of a request for a media file. Any of the keys may have signed it. A wrong signature
 * always gives `invalid`, so `expired` is reported only for URLs that were once valid.
 */
export function verifyMediaUrl(request: {
  purpose: MediaPurpose;
  /** The undecoded path below MEDIA_URL, such as `/outputs/gen_…/0.mp4`. */
  path: string;
  /** The query, with or without `?`. */
  query: string;
  signingKeys: readonly VersionedSecret[];
  nowMs: number;
}): MediaUrlVerdict {
  const name = parsePath(request.purpose, request.path);
  const query = new URLSearchParams(request.query);
  const [expiresSeconds, version, signature] = ['expires', 'key', 'signature'].map((field) => {
    const values = query.getAll(field);
    return values.length === 1 ? (values[0] ?? '') : '';
  });
  const key = request.signingKeys.find((one) => one.version === version);
  if (!name || !key || !expiresSeconds || !/^[1-9]\d{0,11}$/.test(expiresSeconds) || !signature) {
    return invalid;
  }
  // The texts are compared, not the decoded values: base64url can spell one value in several ways.
  const right = signatureOf(request.purpose, name, expiresSeconds, key);
  if (!equalInConstantTime(signature, right)) return invalid;
  const expiresAt = Number(expiresSeconds) * 1000;
  if (request.nowMs >= expiresAt) return { ok: false, reason: 'expired' };
  return { ok: true, ...name, expiresAt };
}

/**
 * Recognises one of our output URLs among a customer's input URLs. It precedes the rules for other URLs, because
 * MEDIA_URL may be plain http on a local host in development.
 * @returns Null for a URL outside our media URL.
 */
export function parseOwnOutputUrl(
  url: string,
  mediaUrl: string,
  signingKeys: readonly VersionedSecret[],
  nowMs: number,
): MediaUrlVerdict | null {
  if (!url.startsWith(`${mediaUrl}/outputs/`)) return null;
  const rest = url.slice(mediaUrl.length);
  const mark = rest.indexOf('?');
  if (mark === -1 || rest.includes('#')) return invalid;
  const [path, query] = [rest.slice(0, mark), rest.slice(mark)];
  return verifyMediaUrl({ purpose: 'outputs', path, query, signingKeys, nowMs });
}

function sign(
  purpose: MediaPurpose,
  file: MediaName & { mediaUrl: string; signingKeys: readonly VersionedSecret[] },
  untilMs: number,
): SignedUrl {
  const key = firstSecret(file.signingKeys);
  const expires = Math.floor(untilMs / 1000);
  const signature = signatureOf(purpose, file, String(expires), key);
  const query = `expires=${expires}&key=${encodeURIComponent(key.version)}&signature=${signature}`;
  const url = `${file.mediaUrl}/${mediaKey(purpose, file)}?${query}`;
  return { url, expiresAt: expires * 1000 };
}

/** Signatures cached per key: a player requests many parts of one file, and pages list the same files repeatedly. */
const maxCached = 2_000;
const signatureCaches = new WeakMap<VersionedSecret, Map<string, string>>();

/** HMAC-SHA256 of all parts of the URL and its purpose; base64url, 43 characters. */
function signatureOf(
  purpose: MediaPurpose,
  name: MediaName,
  expires: string,
  key: VersionedSecret,
): string {
  const signed = `framegate media url\n${mediaKey(purpose, name)}\n${expires}\n${key.version}`;
  const signatures = signatureCaches.get(key) ?? new Map<string, string>();
  const cached = signatures.get(signed);
  if (cached !== undefined) return cached;
  const signature = createHmac('sha256', key.secret).update(signed).digest('base64url');
  signatureCaches.set(key, signatures.set(signed, signature));
  const [oldest = ''] = signatures.keys();
  if (signatures.size > maxCached) signatures.delete(oldest);
  return signature;
}

function parsePath(purpose: MediaPurpose, path: string): MediaName | null {
  const [empty, folder, generationId = '', file = '', ...more] = path.split('/');
  const [, index, extension] = fileName.exec(file) ?? [];
  if (empty !== '' || folder !== purpose || more.length > 0) return null;
  if (!isId('gen', generationId) || index === undefined || extension === undefined) return null;
  return { generationId, index: Number(index), extension };
}
