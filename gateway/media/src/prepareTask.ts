import { rm } from 'node:fs/promises';
import { type MediaFormat, mediaFormats } from '@framegate/contract/mediaFormats';
import type { SignClaim } from './addManifest.ts';
import type { InspectedMedia, MediaTask, MediaVerdict } from './mediaTask.ts';
import { isIsoMedia, sniffFile } from './sniffMedia.ts';

/** Performs a task; its posters come last. */
interface PreparedTask {
  (): Promise<MediaVerdict>;
  drawPosters?: () => Promise<unknown>;
}

/** Messages of a task to the parent before its response. */
interface Parent {
  sign: SignClaim;
  /** Receives the verdict on a finished result whose posters are drawn next. */
  recordFinished: (verdict: InspectedMedia) => void;
}

/**
 * Loads only the libraries that a task needs: starting takes most of a child's time, and a child without need
 * for sharp may not load native code.
 * @throws If a library cannot be loaded, or the file cannot be opened.
 * @returns Performs the task; throws the error of a library that cannot read the file.
 */
export async function prepareTask(
  task: MediaTask,
  parent?: Parent,
): Promise<() => Promise<MediaVerdict>> {
  const work = await prepareWork(task);
  const finish = await prepareManifest(task, parent);
  return async () => {
    const result = await work();
    const verdict = result.ok && finish ? await finish(result) : result;
    if (!verdict.ok || !work.drawPosters) return verdict;
    parent?.recordFinished(verdict);
    const posters = await work.drawPosters().then(
      () => ({ posters: true }),
      (error: unknown) => ({ noPosters: String(error).slice(0, 200) }),
    );
    return { ...verdict, ...posters };
  };
}

async function prepareManifest(task: MediaTask, parent: Parent | undefined) {
  const request = 'manifest' in task ? task.manifest : undefined;
  if (!parent || request === undefined) return null;
  const path = 'target' in task ? task.target : task.path;
  const { addManifest } = await import('./addManifest.ts');
  return async (media: InspectedMedia): Promise<InspectedMedia> => ({
    ...media,
    ...(await addManifest(path, media.mediaType, request, parent.sign)),
  });
}

async function prepareWork(task: MediaTask): Promise<PreparedTask> {
  const sniffed = await sniffFile(task.path);
  switch (task.task) {
    case 'cleanVideo':
      return prepareCleaning(task, sniffed);
    case 'encodeImage': {
      if (sniffed?.type !== 'image') return invalid('not a picture', sniffed?.mediaType);
      const { encodeWithPosters } = await import('./imageTasks.ts');
      return encodeWithPosters(task, task.posters);
    }
    case 'drawFrame': {
      const { drawFrame } = await import('./frameTasks.ts');
      return () => drawFrame(task);
    }
    case 'drawPosters': {
      const { drawPosters } = await import('./frameTasks.ts');
      return () => drawPosters(task);
    }
    case 'inspect': {
      const { prepareInput } = await import('./prepareInput.ts');
      return prepareInput(task, sniffed);
    }
  }
}

/**
 * Makes a clean, marked MP4 of a provider's video, whatever its container, and inspects it. Frames are
 * never re-encoded.
 */
async function prepareCleaning(
  { path, target }: Extract<MediaTask, { task: 'cleanVideo' }>,
  sniffed: MediaFormat | null,
): Promise<PreparedTask> {
  const isIso = sniffed !== null && isIsoMedia(sniffed);
  if (!isIso && sniffed?.type !== 'video') {
    return invalid(`${sniffed?.mediaType ?? 'unknown type'}, not video/mp4`, sniffed?.mediaType);
  }
  const { cleanMp4 } = await import('./cleanMp4.ts');
  const { inspectAudioVideo } = await import('./inspectAudioVideo.ts');
  const { measureVideo } = await import('./measureVideo.ts');
  const { rewrapMatroska } = isIso ? {} : await import('./rewrapMatroska.ts');
  return async () => {
    const wrapped = `${target}.wrapped`;
    const container = await rewrapMatroska?.(path, wrapped);
    const cleaned = await cleanMp4(container === undefined ? path : wrapped, target);
    if (container !== undefined) await rm(wrapped);
    const verdict = await inspectAudioVideo(target, 'video', mediaFormats.mp4);
    if (!verdict.ok) return verdict;
    const former = container === undefined ? [] : [`made from ${container}`];
    const oddities = [...former, ...cleaned, ...(verdict.oddities ?? [])];
    // A file that cannot be measured may still be valid.
    const measures = await measureVideo(target).catch(() => ({}));
    return { ...verdict, measures, ...(oddities.length > 0 && { oddities }) };
  };
}

function invalid(reason: string, otherType?: string): PreparedTask {
  return async () => ({ ok: false, reason, ...(otherType !== undefined && { otherType }) });
}
