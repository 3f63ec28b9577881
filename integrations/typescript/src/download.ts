import { reasonOf } from './core/exchange.ts';
import { throwIfAborted } from './core/repeat.ts';
import { retryAfterMs, waitMs } from './core/retry.ts';
import { DownloadError, UsageError } from './errors.ts';
import type { Generation } from './generated/api.ts';
import { readGeneration } from './request.ts';
import type { Settings } from './settings.ts';
import { openStream, type Sink, type StreamTarget } from './sink.ts';

/** Options of a download. */
export interface DownloadOptions {
  /** Which of the generation's files, from 0. Default 0. */
  index?: number | undefined;
  /** Ends the download; the received part stays, and a later call with the same path continues it. */
  signal?: AbortSignal | undefined;
  /** Receives the number of bytes so far, and the total if known. */
  onProgress?: ((received: number, total: number | undefined) => void) | undefined;
}

/** A downloaded file. */
export interface DownloadedFile {
  bytes: number;
  /** Media type, such as `video/mp4`. */
  type: string;
}

/** A running download. */
interface Job extends DownloadedFile {
  settings: Settings;
  options: DownloadOptions;
  about: { generationId: string };
  kind: Generation['type'];
  url: string;
  open(version: string | undefined): Promise<Sink>;
  /** Opened with the first bytes, when the rest is known. */
  sink?: Sink;
  total?: number | undefined;
  etag?: string | undefined;
}

/** An attempt ended before the file was complete; another one may help. */
class BrokenError extends Error {
  override readonly name = 'BrokenError';
  /** The wait requested by the service, in ms. */
  readonly askedMs: number | undefined;
  /** Whether the URL is invalid or has expired. */
  readonly isUrlRefused: boolean;

  constructor(why: string, response?: Response) {
    super(why);
    this.askedMs = response && retryAfterMs(response.headers);
    this.isUrlRefused = response !== undefined && response.status < 500 && response.status !== 429;
  }
}

/**
 * Downloads a file of a completed generation, without the API key. An interrupted download resumes where it broke; type
 * and length are checked; URLs that have expired or return something else are read again.
 * @throws DownloadError, UsageError, AbortError: all with the generation's id.
 */
export async function download(
  settings: Settings,
  generation: Generation,
  target: string | StreamTarget,
  options: DownloadOptions = {},
): Promise<DownloadedFile> {
  const about = { generationId: generation.id };
  const url = urlOf(generation, options);
  const { type: kind } = generation;
  const stream = typeof target === 'string' ? undefined : openStream(target, about);
  const open = stream
    ? async () => stream
    : await writeFile(about, () => placeFor(settings, target as string, about));
  const job: Job = { settings, options, about, kind, url, open, bytes: 0, type: '' };
  try {
    await fetchWhole(job);
    await writeFile(about, async () => job.sink?.finish(job.bytes));
  } catch (error) {
    const isFull = error instanceof DownloadError && error.code === 'disk_full';
    await (job.sink ?? stream)?.abandon(error, isFull).catch(() => undefined);
    throw error;
  }
  settings.log.info(`downloaded ${job.bytes} bytes of ${generation.id}`);
  return { bytes: job.bytes, type: job.type };
}

/** Retries until the file is complete. Each received byte renews the time for retries. */
async function fetchWhole(job: Job): Promise<void> {
  const { settings, options, about } = job;
  const { platform, retryBudgetMs, onRetry, log } = settings;
  for (let attempts = 1, until = platform.now() + retryBudgetMs; ; attempts += 1) {
    const before = job.bytes;
    try {
      await fetchRest(job);
      return;
    } catch (broken) {
      if (!(broken instanceof BrokenError)) throw broken;
      if (job.bytes > before) {
        attempts = 1;
        until = platform.now() + retryBudgetMs;
      }
      const ms = waitMs(platform, attempts, broken.askedMs);
      if (platform.now() + ms > until) {
        const message = `The file was not downloaded: ${broken.message}. It is still available; downloading it again is free.`;
        throw new DownloadError('download_broken', message, about);
      }
      log.warn(`${broken.message}. Resuming the download in ${Math.ceil(ms / 1000)} s.`);
      onRetry(broken, ms);
      await platform.sleep(ms, options.signal);
      if (!broken.isUrlRefused) continue;
      job.url = urlOf(await readGeneration(settings, about.generationId, options), options);
    }
  }
}

/** Fetches the missing part. @throws BrokenError if the file is still incomplete. */
async function fetchRest(job: Job): Promise<void> {
  const { settings, options, about } = job;
  const end = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, end.signal]) : end.signal;
  const callNetwork = async <T>(step: () => Promise<T>): Promise<T> => {
    throwIfAborted(options.signal, about);
    const timer = setTimeout(() => end.abort(), settings.requestTimeoutMs);
    try {
      return await step();
    } catch (error) {
      throwIfAborted(options.signal, about);
      const silence = `no data within ${settings.requestTimeoutMs / 1000} s`;
      throw new BrokenError(end.signal.aborted ? silence : reasonOf(error));
    } finally {
      clearTimeout(timer);
    }
  };
  try {
    const headers = headersOf(job);
    const response = await callNetwork(() =>
      settings.platform.fetchFile(job.url, { headers, signal }),
    );
    let at = startOf(response);
    if (at === undefined || at > job.bytes) {
      throw new BrokenError(`HTTP status ${response.status}`, response);
    }
    const type = typeOf(response);
    if (!type.startsWith(`${job.kind}/`)) {
      throw new BrokenError(
        `${type || 'something else'} was returned instead of the ${job.kind}`,
        response,
      );
    }
    if (!job.sink) {
      await openSink(job, response);
      // An earlier call left a part, so only the rest is fetched.
      if (job.bytes > 0 && job.bytes !== job.total) {
        end.abort();
        await fetchRest(job);
        return;
      }
    } else if (etagOf(response) !== job.etag) {
      throw new BrokenError('the file has changed', response);
    }
    const reader = (response.body as ReadableStream<Uint8Array> | null)?.getReader();
    while (job.bytes !== job.total) {
      const value = (await callNetwork(async () => reader?.read()))?.value;
      if (!value) break;
      // Skips bytes already received: a service without range support sends them again.
      const chunk = value.subarray(Math.max(0, job.bytes - at));
      at += value.length;
      if (chunk.length === 0) continue;
      await writeFile(about, async () => job.sink?.write(chunk, job.bytes));
      job.bytes += chunk.length;
      options.onProgress?.(job.bytes, job.total);
    }
  } finally {
    end.abort();
  }
  const { bytes, total = bytes } = job;
  if (bytes !== total) throw new BrokenError(`${bytes} of ${total} bytes arrived`);
}

/** Opens the sink for the body of a response. */
async function openSink(job: Job, response: Response): Promise<void> {
  const { headers } = response;
  const length = headers.get('content-length');
  // The length of compressed content is not that of the file.
  const isPlain = length !== null && !headers.has('content-encoding');
  job.total = isPlain ? Number(length) : undefined;
  job.etag = etagOf(response);
  job.type = typeOf(response);
  job.sink = await writeFile(job.about, () => job.open(job.etag));
  if (job.sink.size <= (job.total ?? 0)) job.bytes = job.sink.size;
}

/** The caller's own headers, and those that request the missing part; never the key. */
function headersOf({ settings, bytes, etag }: Job): Record<string, string> {
  const own = Object.fromEntries(settings.headers);
  const plain = { ...own, 'accept-encoding': 'identity' };
  if (bytes === 0) return plain;
  return { ...plain, range: `bytes=${bytes}-`, ...(etag !== undefined && { 'if-range': etag }) };
}

const typeOf = ({ headers }: Response) =>
  headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';

const etagOf = ({ headers }: Response) => headers.get('etag') ?? undefined;

/** Offset at which a response begins in the file; undefined if it is not part of it. */
function startOf({ status, headers }: Response): number | undefined {
  if (status === 200) return 0;
  const range = status === 206 ? headers.get('content-range') : null;
  const start = /^bytes (\d+)-/.exec(range ?? '')?.[1];
  return start === undefined ? undefined : Number(start);
}

async function placeFor({ platform }: Settings, path: string, about: Job['about']) {
  if (platform.openFile) return platform.openFile(path, about);
  const message = 'This runtime has no file system: download to a WritableStream.';
  throw new UsageError('no_files', message, about);
}

function urlOf({ id, output }: Generation, { index = 0 }: DownloadOptions): string {
  const urls = output?.urls ?? [];
  const url = urls[index];
  if (url !== undefined) return url;
  const about = { generationId: id };
  if (output?.deleted_at !== undefined) {
    const message = `The files were deleted on ${output.deleted_at}: create the generation again.`;
    throw new DownloadError('file_gone', message, about);
  }
  throw new UsageError('no_such_file', `There are ${urls.length} files, none at ${index}.`, about);
}

/** Distinguishes write errors from network trouble. */
async function writeFile<T>(about: Job['about'], step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    const { code } = cause as { code?: unknown };
    const isFull = code === 'ENOSPC' || code === 'EDQUOT';
    const what = isFull ? 'The disk is full' : `The file cannot be written (${reasonOf(cause)})`;
    const message = `${what}. The result is still available: download it again to another location, free of charge.`;
    throw new DownloadError(isFull ? 'disk_full' : 'not_written', message, { ...about, cause });
  }
}
