import {
  type IBinaryData,
  type IBinaryKeyData,
  type IExecuteFunctions,
  type JsonObject,
  NodeApiError,
} from 'n8n-workflow';
import { withDetails } from '../api/errorDetails';
import { read } from '../api/read';
import { generationIn } from '../api/responses';
import { backoffSeconds, retryAfterSeconds } from '../api/retryAfter';
import { type GenerationRecord, mediaFormats, minuteMs } from '../generated/contract';
import { pause, requireRunning } from '../waiting/pause';
import { whyNotMedia } from './mediaKind';

/** Maximum attempts of one file. */
const attempts = 4;

/** Longest wait between two attempts, in seconds: the file is stored, and can be fetched later. */
const maxWaitSeconds = 300;

/** Time limit of one file, in ms. */
const downloadTimeoutMs = 10 * minuteMs;

/** Destination of a generation's files. */
export interface DownloadPlan {
  context: IExecuteFunctions;
  itemIndex: number;
  /** Name of the first binary field; further ones get `_2`, `_3` and so on. */
  binaryField: string;
  signal: AbortSignal | undefined;
  inTurn: <T>(task: () => Promise<T>) => Promise<T>;
}

/**
 * Downloads the finished files without the key: their URLs are signed, and may be on another host. URLs that have
 * expired or return something else are read again.
 * @throws NodeApiError with the generation's id; StoppedError.
 */
export async function downloadOutput(
  record: GenerationRecord,
  plan: DownloadPlan,
): Promise<IBinaryKeyData> {
  const { context, itemIndex, binaryField, signal, inTurn } = plan;
  const files: IBinaryKeyData = {};
  let urls = record.output?.urls ?? [];
  if (record.status === 'completed' && urls.length === 0) throw gone(plan, record);
  for (let index = 0; index < urls.length; index += 1) {
    const name = index === 0 ? binaryField : `${binaryField}_${index + 1}`;
    for (let before = 0; ; before += 1) {
      const outcome = await inTurn(() => downloadFile(plan, urls[index] ?? '', record));
      requireRunning(signal);
      if ('file' in outcome) {
        files[name] = outcome.file;
        break;
      }
      if (before + 1 >= attempts) throw notDownloaded(plan, record, outcome.why);
      await pause(Math.min(outcome.waitSeconds ?? backoffSeconds(before), maxWaitSeconds), signal);
      const place = { itemIndex, generationId: record.id };
      const path = `/generations/${record.id}`;
      const take = (body: unknown) => generationIn(body, record.id);
      const fresh = await read(context, path, take, place, signal);
      urls = fresh.output?.urls ?? [];
      if (urls.length === 0) throw gone(plan, record);
    }
  }
  return files;
}

/** The file, or the reason for its absence and the wait that the server requests. */
type DownloadOutcome = { file: IBinaryData } | { why: string; waitSeconds?: number | undefined };

async function downloadFile(
  { context, signal }: DownloadPlan,
  url: string,
  { id, type: kind }: GenerationRecord,
): Promise<DownloadOutcome> {
  try {
    const response = await context.helpers.httpRequest({
      method: 'GET',
      url,
      encoding: 'stream',
      returnFullResponse: true,
      ignoreHttpStatusErrors: true,
      timeout: downloadTimeoutMs,
      ...(signal && { abortSignal: signal }),
    });
    if (response.statusCode !== 200) {
      response.body.destroy();
      return {
        why: `HTTP status ${response.statusCode}`,
        waitSeconds: retryAfterSeconds(response),
      };
    }
    const { headers } = response as { headers: Record<string, string | undefined> };
    const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
    const why = await whyNotMedia(kind, type, response.body);
    if (why !== undefined) {
      response.body.destroy();
      return { why, waitSeconds: retryAfterSeconds(response) };
    }
    const file = await context.helpers.prepareBinaryData(
      response.body,
      fileName(headers, id, type),
      type,
    );
    const expected = headers['content-length'];
    const isCut =
      expected !== undefined && file.bytes !== undefined && file.bytes !== Number(expected);
    return isCut ? { why: `only ${file.bytes} of ${expected} bytes arrived` } : { file };
  } catch (error) {
    return { why: error instanceof Error ? error.message : 'no response' };
  }
}

/** A plain name with an extension, whole: later nodes write it to disks and need the extension to know the type. */
const plainName = /(?:^|;)\s*filename="?([^";/\\.][^";/\\]*\.\w+)"?\s*(?:;|$)/i;

/** The file name given by the service, else one derived from the id. */
export function fileName(
  headers: Record<string, string | undefined>,
  id: string,
  type: string,
): string {
  const name = plainName.exec(headers['content-disposition'] ?? '')?.[1];
  const format = Object.values(mediaFormats).find(({ mediaType }) => mediaType === type);
  return name ?? `${id}.${format?.extension ?? type.replace(/^.*\//, '')}`;
}

function notDownloaded(
  { context, itemIndex }: DownloadPlan,
  { id }: GenerationRecord,
  why: string,
) {
  const error = new NodeApiError(context.getNode(), { reason: why } as JsonObject, {
    message: 'The finished file could not be downloaded',
    description: `It is still available and is not charged again: use Generation > Get with Download Result. Generation: ${id}. (${why})`,
    itemIndex,
  });
  return withDetails(error, { generation_id: id, generation_status: 'completed' });
}

function gone({ context, itemIndex }: DownloadPlan, { id }: GenerationRecord) {
  return new NodeApiError(context.getNode(), {} as JsonObject, {
    message: 'The files of this generation are no longer kept',
    description: `The service deletes results after a few days. Create the generation again if you still need it. Generation: ${id}.`,
    itemIndex,
  });
}
