import { minuteMs } from '@framegate/contract';
import { posterKey } from '../../domain/generations/mediaUrl.ts';
import type { OrderedModel } from '../../domain/generations/order.ts';
import { keptFiles } from '../../domain/generations/refusedResult.ts';
import { Refusal, requireGeneration } from '../../domain/refusal.ts';
import type { AppCore } from '../app.ts';

/** Width of a preview, in pixels. */
const previewWidth = 960;
/** Time limit for drawing the previews of one result, in ms. */
const drawWithinMs = minuteMs;
/** Maximum size of a preview, in bytes. */
const maxPreviewBytes = 1_000_000;

type SeeDeps = Pick<AppCore, 'database' | 'clock' | 'media' | 'posters'>;

/** A kept file by its position among those of its generation. */
interface FileReference {
  generationId: string;
  index: number;
}

async function requireKept({ database, clock }: SeeDeps, generationId: string) {
  const generation = requireGeneration(await database.generations.find(generationId));
  const files = keptFiles(generation, clock.now());
  if (files.length === 0) throw new Refusal('refused_file_not_found');
  return { generation, files };
}

/**
 * Previews of the kept files of a refused result, for staff who have given a reason: a WebP each, null where none can
 * be drawn. They are drawn when they are first asked for.
 * @throws Refusal `refused_file_not_found`.
 */
export async function makeRefusedPreviews(
  deps: SeeDeps,
  generationId: string,
): Promise<(Buffer | null)[]> {
  const { generation, files } = await requireKept(deps, generationId);
  const limit = AbortSignal.timeout(drawWithinMs);
  const previews: (Buffer | null)[] = [];
  for (const { key } of files) previews.push(await makePreview(deps, generation, key, limit));
  return previews;
}

async function makePreview(
  { media, posters }: SeeDeps,
  { type }: OrderedModel,
  key: string,
  limit: AbortSignal,
): Promise<Buffer | null> {
  const previewKey = posterKey(key, previewWidth);
  const preview = await media.stat(previewKey);
  if (!preview && (await posters.make(key, type, limit)) !== 'made') return null;
  const file = await media.open(previewKey);
  if (!file) return null;
  if (file.bytes > maxPreviewBytes) {
    file.stream.destroy();
    return null;
  }
  return Buffer.concat((await file.stream.toArray()) as Buffer[]);
}

/**
 * Opens a kept file for a download by staff who have given a reason.
 * @throws Refusal `refused_file_not_found`.
 */
export async function openRefused(deps: SeeDeps, { generationId, index }: FileReference) {
  const { files } = await requireKept(deps, generationId);
  const key = files[index]?.key;
  const file = key === undefined ? null : await deps.media.open(key);
  if (!file) throw new Refusal('refused_file_not_found');
  return file;
}
