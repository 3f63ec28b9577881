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
  copyFile,
  deleteFilesOf,
  readShowpieces,
  removeShowpieces,
  writeShowpieces,
} from './showpieceList.ts';

interface ShowDeps {
  database: Pick<Database, 'generations' | 'accounts'>;
  media: Pick<MediaStore, 'open' | 'put' | 'delete'>;
}

/**
 * Shows a generation as the result of its model: copies its files, then names it in the list, then deletes the files
 * of the model's former one.
 * @throws PlainRefusal
 */
export async function addShowpiece(
  { database, media }: ShowDeps,
  generationId: string,
): Promise<Showpiece> {
  const generation = await database.generations.find(generationId);
  if (!generation) throw new PlainRefusal(`There is no generation ${generationId}.`);
  const account = await database.accounts.find(generation.accountId);
  const problem = showpieceProblem(generation, account);
  if (problem !== null) throw new PlainRefusal(problem);
  const { model, type, parameters } = generation;
  const list = await readShowpieces(media);
  const former = list.filter((each) => each.model === model);
  const after = withShowpiece(list, {
    ...{ model, generationId, type },
    aspectRatio: parameters.aspect_ratio,
  });
  if (after.length > showpieceLimits.count) {
    throw new PlainRefusal(`${showpieceLimits.count} models have one: remove one first.`);
  }
  for (const [from, file] of filesToCopy(generation)) {
    if (!(await copyFile(media, from, { generationId, file }))) {
      await deleteFilesOf(media, generationId);
      throw new PlainRefusal('Its files are deleted.');
    }
  }
  await writeShowpieces(media, after);
  for (const each of former) {
    if (each.generationId !== generationId) await deleteFilesOf(media, each.generationId);
  }
  return after.at(-1) as Showpiece;
}

/** Removes the showpiece of a model with its files. @throws PlainRefusal if it has none. */
export async function removeShowpieceOf(
  media: ShowDeps['media'],
  model: string,
): Promise<Showpiece> {
  const found = (await readShowpieces(media)).find((each) => each.model === model);
  if (!found) throw new PlainRefusal(`There is no showpiece of ${model}.`);
  await removeShowpieces(media, [found.generationId]);
  return found;
}
