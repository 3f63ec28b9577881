import type { Readable } from 'node:stream';
import type { InputType } from '@framegate/contract';
import { siteRequester, type Account } from '../../domain/account.ts';
import type { Generation, GenerationInput } from '../../domain/generation.ts';
import { PlainRefusal, Refusal } from '../../domain/refusal.ts';
import { uploadSource } from '../../domain/mediaFiles.ts';
import { checkInputUrl } from '../generations/checkRequest.ts';
import { deletionOf, type Addresses } from '../generations/presentGeneration.ts';
import { TransferFailure } from '../ports/media.ts';
import type { SiteDeps } from './siteDeps.ts';
import { keepUploadWithin, unusable, uploadsOf, type UploadDeps } from './uploads.ts';

type PreviewDeps = UploadDeps & Pick<SiteDeps, 'fetchUrl' | 'autoApprovedHosts'>;

/** A URL that stands in a field of the studio. */
export interface TypedInput {
  type: InputType;
  url: string;
  /** The most that such an input may have. */
  maxBytes: number;
}

/** How long a page waits for a file to be fetched, and for all that is done with it, in ms. */
const timeouts = { fetchMs: 15_000, wholeMs: 30_000 };

/** The source (`uploadSource`) of an upload that shows what is behind this URL. */
export function sourceOfUrl({ type, url }: Pick<TypedInput, 'type' | 'url'>): string {
  return uploadSource('url', type, url);
}

/**
 * Looks at the file behind a URL, under the rules and limits of inputs, and keeps a small picture of it for
 * some hours; what is known already is not fetched again. The file itself is not kept: a generation fetches
 * it by itself.
 * @throws Refusal when the URL or its host is not allowed; PlainRefusal when the file does not come or is no
 * such input, or too many were looked at.
 */
export async function previewInput(
  deps: PreviewDeps,
  account: Account,
  addresses: Addresses,
  input: TypedInput,
  { fetchMs, wholeMs } = timeouts,
): Promise<void> {
  if (account.status !== 'active') throw new Refusal('account_suspended');
  const now = deps.clock.now();
  const requester = siteRequester(account, deps.autoApprovedHosts, now);
  const named = checkInputUrl({ addresses }, input.url, 'url', requester, now);
  if (named.ownUpload !== undefined) return;
  const source = sourceOfUrl(input);
  if ((await uploadsOf(deps, account.id)).some((each) => each.source === source)) return;
  const of = { accountId: account.id, type: input.type, keep: 'preview', source } as const;
  try {
    const { taken } = await keepUploadWithin(wholeMs, deps, of, (signal) =>
      piecesOf(deps, account.id, input, named, fetchMs, signal),
    );
    if (!taken.ok) throw unusable(input.type, taken);
  } catch (error) {
    if (!(error instanceof TransferFailure)) throw error;
    // What the network said is not for the page.
    const { host } = new URL(input.url);
    throw new PlainRefusal(
      `${host} did not send this file. It has to answer within some seconds, with the file itself: no page, no redirect, no sign-in.`,
    );
  }
}

/** The file, which is asked for once it is read. */
async function* piecesOf(
  deps: PreviewDeps,
  accountId: string,
  { url, maxBytes }: TypedInput,
  { ownOutput }: Pick<GenerationInput, 'ownOutput'>,
  fetchMs: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  if (ownOutput) {
    const generation = await deps.database.generations.find(ownOutput.generationId);
    yield* await openOutput(deps, accountId, generation, ownOutput.index);
    return;
  }
  const late = AbortSignal.timeout(fetchMs);
  try {
    yield* await deps.fetchUrl(url, { maxBytes, signal: AbortSignal.any([signal, late]) });
  } catch (error) {
    throw late.aborted ? new TransferFailure('unreachable', 'took too long') : error;
  }
}

/** How long a page waits for a picture of a video, in ms. */
const frameMs = 60_000;

/**
 * Takes the first or the last picture of a finished video, in full size, as an upload of its account; one
 * that is kept already is not made again.
 * @returns the upload's id.
 * @throws PlainRefusal when the video is gone or cannot be decoded, or too many were taken.
 */
export async function takeFrame(
  deps: UploadDeps,
  generation: Generation,
  which: 'first' | 'last',
): Promise<string> {
  const { accountId, id } = generation;
  const source = uploadSource('frame', id, which);
  const known = (await uploadsOf(deps, accountId)).find((each) => each.source === source);
  if (known) return known.id;
  const of = { accountId, type: 'image', keep: `${which} frame`, source } as const;
  const { id: uploadId, taken } = await keepUploadWithin(frameMs, deps, of, async function* () {
    yield* await openOutput(deps, accountId, generation, 0);
  });
  if (taken.ok) return uploadId;
  throw new PlainRefusal(
    taken.problem === 'too_large'
      ? 'This video is too large for a picture of it to be taken.'
      : `The ${which} picture of this video could not be read.${which === 'last' ? ' Its first one may still be.' : ''}`,
  );
}

/** Opens a result of an account's own. @throws PlainRefusal where it is not there any more, or never was. */
async function openOutput(
  { media, clock }: Pick<SiteDeps, 'media' | 'clock'>,
  accountId: string,
  generation: Generation | null,
  index: number,
): Promise<Readable> {
  const output = generation?.accountId === accountId ? generation.outputs[index] : undefined;
  const isThere = generation && output && !deletionOf(generation, clock.now()).gone;
  const found = isThere ? await media.open(output.key) : null;
  if (!found) {
    throw new PlainRefusal('The file has been deleted: results are kept for a while only.');
  }
  return found.stream;
}
