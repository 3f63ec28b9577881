import { findPeople, type FoundName, indexPeople } from '../../domain/accounts/erasedNames.ts';
import { erasedEmail, isErased } from '../../domain/accounts/erasedResponse.ts';
import { type ErasedPerson, erasePerson } from '../../domain/accounts/erasure.ts';
import { changeAccountById } from '../accounts/changeAccount.ts';
import type { AppCore } from '../app.ts';
import type { SoughtErasure } from '../ports/erasure.ts';

/** Pages read in one round of the task: a search takes hours and leaves the database free. */
const maxPagesPerRound = 20;

type SearchDeps = Pick<AppCore, 'database' | 'clock' | 'log' | 'reachFaultPoint'>;

/**
 * Continues the nightly search of all documents in all collections: only records under the pseudonym may name an erased
 * person. A person who is found is erased again, and operators are alerted. Addresses are forgotten once a search has
 * found nothing.
 */
export async function searchErased(deps: SearchDeps, signal: AbortSignal): Promise<void> {
  const { erasedSearch } = deps.database;
  let search = await erasedSearch.begin();
  if (search === null) return;
  const people = new Map((await erasedSearch.findSought(search)).map((each) => [each.id, each]));
  const sought = indexPeople(
    [...people.values()].map(({ id, person, startedAt }) => ({
      id,
      // None is known of a person whose address was forgotten before.
      email: person === null || isErased({ id, email: person.email }) ? null : person.email,
      since: startedAt,
    })),
  );
  for (let pages = 0; pages < maxPagesPerRound && search !== null && !signal.aborted; pages += 1) {
    const { collection } = search;
    const { documents, next } = await erasedSearch.loadPage(search);
    const traces: FoundTrace[] = documents.flatMap((document) =>
      findPeople(document, sought)
        .filter((name) => !isOwn(deps, collection, name))
        .map((name) => ({ ...name, collection, documentId: document._id })),
    );
    for (const [id, ofPerson] of Map.groupBy(traces, (name) => name.id)) {
      const person = people.get(id);
      if (person) await eraseAgain(deps, person, ofPerson);
    }
    await deps.reachFaultPoint('search.beforeNoted');
    if (!(await erasedSearch.advance(search, next))) return;
    search = next;
  }
}

interface FoundTrace extends FoundName {
  collection: string;
  documentId: unknown;
}

/** Whether the record of the erasure itself, or a record under the pseudonym, names the person. */
const isOwn = (
  { database: { erasedSearch } }: SearchDeps,
  collection: string,
  { by, field }: FoundName,
): boolean =>
  by === 'email' ? collection === 'erasures' : erasedSearch.mayName(collection, field);

/** Repeats the erasure of a person whose traces were found, with the new traces, and alerts operators. */
async function eraseAgain(
  deps: SearchDeps,
  { id, person }: SoughtErasure,
  foundTraces: readonly FoundTrace[],
): Promise<void> {
  const { database, clock, log } = deps;
  const email = person?.email ?? erasedEmail(id);
  const { accounts } = database;
  const isBack = (await accounts.findIdByEmail(email)) !== null;
  // A lookup has no own time: it is as old as its record, which is also searched.
  const leads = isBack || (await accounts.findInviting(email)).length > 0;
  const traces = foundTraces.filter(
    ({ by, collection }) => by === 'id' || !leads || collection !== 'accountLookups',
  );
  if (traces.length === 0) return;
  const teams = traces.flatMap(({ collection, documentId }) =>
    collection === 'accounts' && documentId !== id ? [String(documentId)] : [],
  );
  const again: ErasedPerson = {
    // A new account with this address keeps its data.
    email: isBack ? erasedEmail(id) : email,
    teams: [...new Set([...(person?.teams ?? []), ...teams])],
    keyIds: person?.keyIds ?? [],
  };
  await database.erasedSearch.recordFound(id);
  await changeAccountById(database, id, (account) => ({
    after: erasePerson(account, clock.now()).after,
    ends: { by: 'erase' },
    erases: again,
  }));
  const where = [...new Set(traces.map(({ collection, field }) => `${collection}.${field}`))];
  log.error(
    { alert: 'erased_person_found', account: id, where: where.slice(0, 10) },
    'found data of an erased person; erasing it again',
  );
}
