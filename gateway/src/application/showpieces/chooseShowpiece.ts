import type { Generation } from '../../domain/generation.ts';
import { PlainRefusal } from '../../domain/refusal.ts';
import {
  filesToCopy,
  showpieceLimits,
  showpieceProblem,
  withShowpiece,
  type Showpiece,
} from '../../domain/showpiece.ts';
import type { Database } from '../ports/database.ts';
import type { MediaStore } from '../ports/media.ts';
import {
  changeShowpieces,
  copyFile,
  deleteFilesOf,
  readShowpieces,
  removeShowpieces,
} from './showpieceList.ts';

interface ShowDeps {
  database: Pick<Database, 'generations' | 'accounts'>;
  media: Pick<MediaStore, 'open' | 'put' | 'replace' | 'delete'>;
}

/**
 * Makes a generation the showpiece of its model: copies its files, adds it to the list, then deletes the files of the
 * previous showpiece.
 * @throws PlainRefusal
 */
export async function addShowpiece(deps: ShowDeps, generationId: string): Promise<Showpiece> {
  const { media } = deps;
  const generation = await requireShowable(deps, generationId);
  const { model, type, parameters } = generation;
  const added = { model, generationId, type, aspectRatio: parameters.aspect_ratio };
  const withAdded = (list: readonly Showpiece[]) => {
    const after = withShowpiece(list, added);
    if (after.length > showpieceLimits.count) {
      throw new PlainRefusal(`${showpieceLimits.count} models have one: remove one first.`);
    }
    return after;
  };
  withAdded(await readShowpieces(media));
  for (const [from, file] of filesToCopy(generation)) {
    if (!(await copyFile(media, from, { generationId, file }))) {
      await deleteFilesOf(media, generationId);
      throw new PlainRefusal('Its files are deleted.');
    }
  }
  const before = await changeShowpieces(media, withAdded);
  for (const each of before.filter((one) => one.model === model)) {
    if (each.generationId !== generationId) await deleteFilesOf(media, each.generationId);
  }
  try {
    // It may have been taken down meanwhile by someone who did not see it in the list yet.
    await requireShowable(deps, generationId);
  } catch (error) {
    await removeShowpieces(media, [generationId]);
    throw error;
  }
  return added;
}

async function requireShowable({ database }: ShowDeps, generationId: string): Promise<Generation> {
  const generation = await database.generations.find(generationId);
  if (!generation) throw new PlainRefusal(`There is no generation ${generationId}.`);
  const account = await database.accounts.find(generation.accountId);
  const problem = showpieceProblem(generation, account);
  if (problem !== null) throw new PlainRefusal(problem);
  return generation;
}

/** Removes a model's showpiece and its files. @throws PlainRefusal if it has none. */
export async function removeShowpieceOf(
  media: ShowDeps['media'],
  model: string,
): Promise<Showpiece> {
  const found = (await readShowpieces(media)).find((each) => each.model === model);
  if (!found) throw new PlainRefusal(`There is no showpiece of ${model}.`);
  await removeShowpieces(media, [found.generationId]);
  return found;
}
