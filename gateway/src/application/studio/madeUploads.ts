import type { Readable } from 'node:stream';
import { type InputType, minuteMs } from '@framegate/contract';
import { TransferError } from '@framegate/limits';
import type { Account } from '../../domain/accounts/account.ts';
import { siteRequester } from '../../domain/accounts/apiKey.ts';
import type { Generation } from '../../domain/generations/generation.ts';
import type { GenerationInput } from '../../domain/generations/order.ts';
import { uploadSource } from '../../domain/generations/uploads.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { App } from '../app.ts';
import { checkInputUrl } from '../generations/create/checkRequest.ts';
import { type PublicUrls, removalOf } from '../generations/presentGeneration.ts';
import {
  addUploadWithin,
  listUploads,
  removeUpload,
  unusableFileRefusal,
  type UploadDeps,
} from './uploads.ts';

type PreviewDeps = UploadDeps & Pick<App, 'fetchUrl' | 'autoApprovedHosts'>;

/** A URL typed into a field of the studio. */
export interface TypedInput {
  type: InputType;
  url: string;
  /** Maximum bytes of such an input. */
  maxBytes: number;
}

/** Time limits of a page for fetching a file, and for the whole preview, in ms. */
const timeouts = { fetchMs: 15_000, wholeMs: 30_000 };

/** The source (`uploadSource`) of a preview of this URL. */
export function sourceOfUrl({ type, url }: Pick<TypedInput, 'type' | 'url'>): string {
  return uploadSource('url', type, url);
}

/**
 * Fetches the file behind a URL under the rules and limits for inputs, and keeps a small preview for some hours, unless
 * one exists. The file itself is not kept: generations fetch it themselves.
 * @throws Refusal if the URL or its host is not allowed, the file is unavailable or invalid, or there were too
 * many previews.
 */
export async function makeInputPreview(
  deps: PreviewDeps,
  account: Account,
  publicUrls: PublicUrls,
  input: TypedInput,
  { fetchMs, wholeMs } = timeouts,
): Promise<void> {
  if (account.status !== 'active') throw new Refusal('account_suspended');
  const nowMs = deps.clock.now();
  const requester = siteRequester(account, deps.autoApprovedHosts, nowMs);
  const ownFile = checkInputUrl({ publicUrls }, input.url, 'url', requester, nowMs);
  if (ownFile.ownUpload !== undefined) return;
  const source = sourceOfUrl(input);
  if ((await listUploads(deps, account.id)).some((each) => each.source === source)) return;
  const preview = { accountId: account.id, type: input.type, keep: 'preview', source } as const;
  try {
    const { result } = await addUploadWithin(wholeMs, deps, preview, (signal) =>
      readPieces(deps, account.id, input, ownFile, fetchMs, signal),
    );
    if (!result.ok) throw unusableFileRefusal(input.type, result);
  } catch (error) {
    if (!(error instanceof TransferError)) throw error;
    // The page must not show the network error.
    const { host } = new URL(input.url);
    throw new Refusal('file_unreachable', { values: { host } });
  }
}

/** The file, requested when reading begins. */
async function* readPieces(
  deps: PreviewDeps,
  accountId: string,
  { url, maxBytes }: TypedInput,
  { ownOutput }: Pick<GenerationInput, 'ownOutput'>,
  fetchMs: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  if (ownOutput) {
    const generation = await deps.database.generations.find(ownOutput.generationId, accountId);
    yield* await openOutput(deps, accountId, generation, ownOutput.index);
    return;
  }
  const late = AbortSignal.timeout(fetchMs);
  try {
    yield* await deps.fetchUrl(url, { maxBytes, signal: AbortSignal.any([signal, late]) });
  } catch (error) {
    throw late.aborted ? new TransferError('unreachable', 'took too long') : error;
  }
}

/** Time limit of a page for a video's frame, in ms. */
const frameMs = minuteMs;

/**
 * Takes the first or last frame of a finished video, in full size, as an upload of its account, unless it exists.
 * @returns The upload's id.
 * @throws Refusal if the video no longer exists or cannot be decoded, or too many frames were taken.
 */
export async function takeFrame(
  deps: UploadDeps,
  generation: Generation,
  which: 'first' | 'last',
): Promise<string> {
  const { accountId, id } = generation;
  const source = uploadSource('frame', id, which);
  const upload = (await listUploads(deps, accountId)).find((each) => each.source === source);
  if (upload) return upload.id;
  const frame = { accountId, type: 'image', keep: `${which}Frame`, source } as const;
  const { id: uploadId, result } = await addUploadWithin(frameMs, deps, frame, async function* () {
    yield* await openOutput(deps, accountId, generation, 0);
  });
  if (result.ok) return uploadId;
  if (result.problem === 'busy') throw unusableFileRefusal('image', result);
  if (result.problem === 'too_large') throw new Refusal('frame_too_large');
  throw new Refusal(which === 'last' ? 'last_frame_unreadable' : 'first_frame_unreadable');
}

/** Removes the frames taken from these generations. */
export async function removeFramesOf(
  deps: Parameters<typeof removeUpload>[0],
  accountId: string,
  generationIds: readonly string[],
): Promise<void> {
  const sources = generationIds.flatMap((id) =>
    ['first', 'last'].map((which) => uploadSource('frame', id, which)),
  );
  for (const { id, source } of await deps.database.uploads.listOfAccount(accountId)) {
    if (source !== null && sources.includes(source)) await removeUpload(deps, id);
  }
}

/** Opens an account's own result. @throws Refusal if it does not exist or is deleted. */
async function openOutput(
  { media, clock }: Pick<App, 'media' | 'clock'>,
  accountId: string,
  generation: Generation | null,
  index: number,
): Promise<Readable> {
  const output = generation?.accountId === accountId ? generation.outputs[index] : undefined;
  const isThere = generation && output && !removalOf(generation, clock.now()).isRemoved;
  const file = isThere ? await media.open(output.key) : null;
  if (!file) {
    throw new Refusal('file_not_found');
  }
  return file.stream;
}
