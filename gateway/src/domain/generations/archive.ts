import { csvLine, escapeFormula } from '../text/text.ts';
import { isoTime } from '../time/isoTime.ts';
import type { GenerationFiles } from './files.ts';
import type { GenerationRef, NetPrice, OrderedWork } from './order.ts';
import type { GenerationMoments } from './work.ts';

/** Bounds of an archive of results. Its files are read for up to 15 minutes. */
export const maxArchiveBytes = 4_000_000_000;
/** Maximum files of an archive. */
export const maxArchiveFiles = 2_000;

/** A generation whose files are in an archive. */
export interface ArchivedGeneration
  extends
    Pick<GenerationRef, 'id'>,
    Pick<OrderedWork, 'model' | 'prompt' | 'parameters'>,
    Pick<NetPrice, 'costCredits'>,
    Pick<GenerationMoments, 'createdAt' | 'endedAt'>,
    Pick<GenerationFiles, 'outputs'> {}

/** A file of an archive. */
export interface ArchivedFile {
  name: string;
  /** Size in bytes. */
  size: number;
  /** Time in ms since the epoch. */
  lastModified: number;
  /** Key in the media store. */
  key: string;
  work: ArchivedGeneration;
}

/** Maximum characters of a prompt in a name: a name has up to 255 bytes, and a character up to four. */
const maxWords = 50;

/**
 * The files of an archive, named by number and first words: `017-a-paper-boat-drifts.mp4`, and `017-a-paper-boat-2.jpg`
 * for one of several images.
 * @param stem Used where a prompt has no words.
 */
export function* archivedFiles(
  works: readonly ArchivedGeneration[],
  stem: string,
): Generator<ArchivedFile> {
  const digits = String(works.length).length;
  for (const [index, work] of works.entries()) {
    const number = String(index + 1).padStart(digits, '0');
    const name = `${number}-${firstWords(work.prompt) || stem}`;
    for (const [output, { bytes, extension, key }] of work.outputs.entries()) {
      yield {
        name: `${name}${work.outputs.length > 1 ? `-${output + 1}` : ''}.${extension}`,
        size: bytes,
        lastModified: work.endedAt ?? 0,
        key,
        work,
      };
    }
  }
}

/** The first whole words of a prompt, joined by hyphens. */
function firstWords(prompt: string): string {
  const words = prompt.slice(0, 4 * maxWords).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  let name = '';
  for (const word of words) {
    const longer = name === '' ? word : `${name}-${word}`;
    if (longer.length > maxWords) break;
    name = longer;
  }
  return (name || (words[0] ?? '').slice(0, maxWords)).toLowerCase();
}

const columns = ['file', 'prompt', 'model', 'seed', 'credits', 'created', 'generation'];

/**
 * The list of an archive as lines of CSV (RFC 4180), one per file.
 * @param modelName The name of a model by its id.
 */
export function* archiveContents(
  files: readonly ArchivedFile[],
  modelName: (id: string) => string,
): Generator<string> {
  yield csvLine(columns);
  for (const { name, work } of files) {
    yield csvLine([
      name,
      escapeFormula(work.prompt),
      modelName(work.model),
      String(work.parameters.seed),
      String(work.costCredits),
      isoTime(work.createdAt),
      work.id,
    ]);
  }
}
