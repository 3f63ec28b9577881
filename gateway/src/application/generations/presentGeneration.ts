import type * as wire from '@framegate/contract';
import { failureCodes, withoutTexts } from '@framegate/contract';
import { describeWrongFile } from '@framegate/contract/fileKinds';
import type { VersionedSecret } from '../../domain/accounts/apiKey.ts';
import {
  type PosterWidth,
  type SignedUrl,
  signOutputUrl,
} from '../../domain/generations/mediaUrl.ts';
import { pollHintSeconds } from '../../domain/generations/pollHint.ts';
import { isoTime } from '../../domain/time/isoTime.ts';
import type { GenerationView } from '../ports/generations.ts';
import type { Clock, Random } from '../ports/system.ts';
import type { DurationStats } from '../ports/upkeep.ts';

/** Public URLs, and the keys that sign media URLs. */
export interface PublicUrls {
  /** Public URL of the API, ending in `/v1`. */
  baseUrl: string;
  /** URL of the media, without a slash at the end. */
  mediaUrl: string;
  mediaSigningKeys: readonly VersionedSecret[];
  /** The server to which readers of results are redirected, if configured. */
  redirectUrl?: string;
}

/**
 * A generation as customers see it, with fields in wire order. Output URLs are newly signed, and stay the same within
 * an hour.
 * @param retryAfterSeconds The polling hint; null exactly if the generation has ended.
 */
export function presentGeneration(
  view: GenerationView,
  publicUrls: PublicUrls,
  nowMs: number,
  retryAfterSeconds: number | null,
): wire.GenerationRecord {
  const hasFailed = view.status === 'failed';
  return {
    id: view.id,
    object: 'generation',
    type: view.type,
    model: view.model,
    status: view.status,
    status_url: `${publicUrls.baseUrl}/generations/${view.id}`,
    ...(retryAfterSeconds !== null && { retry_after_seconds: retryAfterSeconds }),
    created_at: isoTime(view.createdAt),
    ...(view.endedAt !== null && { completed_at: isoTime(view.endedAt) }),
    parameters: withoutTexts(view.parameters),
    billing: {
      unit: 'credits',
      cost_credits: view.costCredits,
      policy: 'same_as_pc',
      status: hasFailed ? 'refunded' : 'charged',
      ...(hasFailed && { refunded_credits: view.refundedCredits }),
    },
    ...(view.status === 'completed' && { output: presentOutput(view, publicUrls, nowMs) }),
    ...(view.failure && hasFailed && { error: presentFailure(view.failure) }),
  };
}

/** When the outputs are or will be removed, in ms since the epoch, and whether they already are. */
export function removalOf(
  view: Pick<GenerationView, 'outputsRemovedAt' | 'outputsRemoveAt'>,
  nowMs: number,
): { removedAt: number; isRemoved: boolean } {
  const removedAt = view.outputsRemovedAt ?? view.outputsRemoveAt ?? nowMs;
  return { removedAt, isRemoved: view.outputsRemovedAt !== null || removedAt <= nowMs };
}

/** URLs of the outputs' posters, only for the site; null for an output without one. */
export function presentPosters(
  view: GenerationView,
  publicUrls: PublicUrls,
  nowMs: number,
  width: PosterWidth,
): (string | null)[] {
  const urls = signedOutputs(view, publicUrls, nowMs, width);
  return view.outputs.map(({ hasPoster }, index) =>
    hasPoster ? (urls[index]?.url ?? null) : null,
  );
}

/** The signed URLs of the outputs, or of their posters; none once the outputs are removed. */
function signedOutputs(
  view: GenerationView,
  { mediaUrl, mediaSigningKeys: signingKeys }: PublicUrls,
  nowMs: number,
  width?: PosterWidth,
): SignedUrl[] {
  const { removedAt, isRemoved } = removalOf(view, nowMs);
  if (isRemoved) return [];
  return view.outputs.map(({ extension }, index) => {
    const output = { mediaUrl, signingKeys, generationId: view.id, index, extension };
    return signOutputUrl({ ...output, nowMs, removedAt }, width);
  });
}

function presentOutput(view: GenerationView, publicUrls: PublicUrls, nowMs: number): wire.Output {
  const { removedAt, isRemoved } = removalOf(view, nowMs);
  if (isRemoved) {
    return { urls: [], expires_at: isoTime(removedAt), deleted_at: isoTime(removedAt) };
  }
  const signed = signedOutputs(view, publicUrls, nowMs);
  const urls = signed.map(({ url }) => url);
  const expiresAt = Math.min(...signed.map((each) => each.expiresAt));
  return {
    urls,
    ...(view.type === 'video' && urls[0] !== undefined && { video_url: urls[0] }),
    ...(view.type === 'image' && { image_urls: urls }),
    expires_at: isoTime(expiresAt),
  };
}

/** The reason of a failure as customers see it. */
export function presentFailure(
  failure: NonNullable<GenerationView['failure']>,
): wire.GenerationError {
  const { code, param = null, wrongFile } = failure;
  const { type, message, retryable } = failureCodes[code];
  const publicMessage = wrongFile ? describeWrongFile(wrongFile) : message;
  return { type, code, message: publicMessage, param, retryable };
}

/** The wait before the next poll, in seconds; null after the end. */
export function pollHintFor(
  deps: { clock: Clock; random: Random; durations: DurationStats },
  view: Pick<
    GenerationView,
    'type' | 'model' | 'parameters' | 'status' | 'createdAt' | 'startedAt'
  >,
): number | null {
  if (view.status === 'completed' || view.status === 'failed') return null;
  const nowMs = deps.clock.now();
  const secondsSince = (atMs: number) => Math.max(0, (nowMs - atMs) / 1000);
  return pollHintSeconds(
    view.type,
    deps.durations.usual(view.model, view.parameters).plan(),
    {
      ageSeconds: secondsSince(view.createdAt),
      runningSeconds: view.startedAt === null ? 0 : secondsSince(view.startedAt),
    },
    deps.random.fraction(),
  );
}
