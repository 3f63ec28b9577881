import type { Account } from './account.ts';
import type { Generation } from './generation.ts';
import { posterKey } from './mediaUrl.ts';

/** A result of the operator's own that publicly demonstrates a model. */
export interface Showpiece {
  /** The model's id; each model has at most one. */
  model: string;
  generationId: string;
  type: Generation['type'];
  /** As ordered, such as `16:9`. */
  aspectRatio: string;
}

/** Names of the files of a showpiece. */
export const showpieceFiles = ['small.webp', 'large.webp', 'clip.mp4'] as const;
export type ShowpieceFile = (typeof showpieceFiles)[number];

/** Maximum number of showpieces, and bytes of one file: visitors load them before they have an account. */
export const showpieceLimits = { count: 60, clipBytes: 12_000_000, posterBytes: 400_000 } as const;

/** Maximum bytes of a file. */
export const mostBytes = (file: ShowpieceFile): number =>
  file === 'clip.mp4' ? showpieceLimits.clipBytes : showpieceLimits.posterBytes;

/** Key of a file in the media store, separate from those removed by retention. */
export const showpieceKey = (generationId: string, file: ShowpieceFile): string =>
  `showpieces/${generationId}/${file}`;

/** Why a generation cannot be shown publicly; null if it can. */
export function showpieceProblem(
  generation: Generation,
  account: Pick<Account, 'staffRole'> | null,
): string | null {
  const { status, outputs, outputsDeletedAt, removedAt, realPerson, parameters } = generation;
  const [output] = outputs;
  // First, because the results of customers belong to them.
  if (!account || account.staffRole === null) {
    return 'Its account does not belong to staff: only results of your own can be shown.';
  }
  const isRealPerson = 'real_person_mode' in parameters && parameters.real_person_mode;
  if (realPerson !== null || isRealPerson) {
    return 'It shows a real person, who agreed to this generation and not to an advertisement.';
  }
  if (status !== 'completed' || output === undefined) return 'It is not completed.';
  if (outputsDeletedAt !== null || removedAt !== undefined) return 'Its files are deleted.';
  if (output.poster !== true) {
    return 'It has no poster: set POSTERS to its type, and generate it again.';
  }
  if (generation.type === 'video' && output.bytes > showpieceLimits.clipBytes) {
    return `Its file has ${output.bytes} bytes, and a showpiece at most ${showpieceLimits.clipBytes}: choose a shorter one or a lower resolution.`;
  }
  return null;
}

/** The files to copy, by their keys. */
export function filesToCopy({ type, outputs }: Generation): [from: string, to: ShowpieceFile][] {
  const [output] = outputs;
  if (output === undefined) return [];
  return [
    [posterKey(output.key, 320), 'small.webp'],
    [posterKey(output.key, 960), 'large.webp'],
    ...(type === 'video' ? ([[output.key, 'clip.mp4']] as const) : []),
  ].map(([from, to]) => [from, to as ShowpieceFile]);
}

/** The list with a showpiece, which replaces an earlier one of its model. */
export function withShowpiece(list: readonly Showpiece[], added: Showpiece): Showpiece[] {
  return [...list.filter(({ model }) => model !== added.model), added];
}

/** Showpieces for the start page: those of models on sale in their order, videos before images. */
export function startShowpieces(
  list: readonly Showpiece[],
  models: readonly { id: string }[],
): Showpiece[] {
  const sold = models.flatMap(({ id }) => list.find(({ model }) => model === id) ?? []);
  const isVideo = ({ type }: Showpiece) => type === 'video';
  return [...sold.filter(isVideo), ...sold.filter((each) => !isVideo(each))].slice(0, 6);
}
