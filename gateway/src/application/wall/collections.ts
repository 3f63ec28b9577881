import { Refusal } from '../../domain/refusal.ts';
import type { App } from '../app.ts';
import type { Collection } from '../ports/wall.ts';
import type { ActingPerson } from './deleteGenerations.ts';

/** Limits: collections per account, collections per generation, and characters of a name. */
export const collectionLimits = { ofAccount: 100, ofGeneration: 20, nameCharacters: 60 } as const;

type CollectionDeps = Pick<App, 'collections' | 'wall' | 'random' | 'clock'>;

/** Finds a collection of the account. @throws Refusal if it no longer exists. */
export async function requireCollection(
  { collections }: Pick<App, 'collections'>,
  accountId: string,
  id: string,
): Promise<Collection> {
  const collection = (await collections.listOfAccount(accountId)).find((each) => each.id === id);
  if (!collection) throw new Refusal('collection_not_found');
  return collection;
}

/**
 * Adds generations to a collection.
 * @param to.id An existing one; empty for the one named `to.name`, created if necessary.
 * @returns The collection.
 * @throws Refusal
 */
export async function addToCollection(
  deps: CollectionDeps,
  maker: ActingPerson,
  ids: readonly string[],
  to: { id: string; name: string },
): Promise<Collection> {
  const accountId = maker.account.id;
  const collection =
    to.id === ''
      ? await ensureCollection(deps, maker, to.name)
      : await requireCollection(deps, accountId, to.id);
  const max = collectionLimits.ofGeneration;
  await deps.wall.addTo(accountId, ids, { id: collection.id, max });
  return collection;
}

async function ensureCollection(
  { collections, random, clock }: CollectionDeps,
  { account: { id: accountId }, personId }: ActingPerson,
  typed: string,
): Promise<Collection> {
  const name = requireName(typed);
  const own = await collections.listOfAccount(accountId);
  const existing = own.find((each) => each.name === name);
  if (existing) return existing;
  if (own.length >= collectionLimits.ofAccount) {
    throw new Refusal('collections_full', { values: { count: collectionLimits.ofAccount } });
  }
  const id = random.newId('col');
  const collection = { id, accountId, name, madeBy: personId, createdAt: clock.now() };
  await collections.insert(collection);
  return collection;
}

/** Renames a collection of the account. @throws Refusal */
export async function renameCollection(
  { collections }: Pick<App, 'collections'>,
  { id, accountId }: Collection,
  name: string,
): Promise<void> {
  await collections.rename(accountId, id, requireName(name));
}

function requireName(typed: string): string {
  const name = typed.replace(/\s+/g, ' ').trim();
  if (name === '') throw new Refusal('collection_missing');
  if ([...name].length > collectionLimits.nameCharacters) {
    throw new Refusal('collection_name_too_long', {
      values: { count: collectionLimits.nameCharacters },
    });
  }
  return name;
}
