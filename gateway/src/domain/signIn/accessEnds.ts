import { accesses, type AccessKind, type ExternalAccessKind } from './access.ts';

/**
 * The effect of an act on each kind of access:
 * - `gone`: it opens nothing from the next request on.
 * - `barred`: it stays, and creates nothing while a state lasts, such as a suspension or a role.
 * - `held`: it is barred until the person has chosen what to keep, and the choice proposes its end.
 * - `offered`: it keeps working until that choice, which proposes its end.
 * - `bounded`: it stays, with no more rights than before; limits and counts stay with it.
 * - `kept`: the act does not concern it.
 */
export type Fate = 'gone' | 'barred' | 'held' | 'offered' | 'bounded' | 'kept';

/** Rows sorted by fate; a row without a fate does not compile. */
type SortedRows<T extends Partial<Record<Fate, readonly AccessKind[]>>> =
  Exclude<AccessKind, NamedRows<T>> extends never
    ? T
    : { missing: Exclude<AccessKind, NamedRows<T>> };

/** The rows that have a fate. Only the given fates count: an absent one would stand for every row. */
type NamedRows<T extends Partial<Record<Fate, readonly AccessKind[]>>> = NonNullable<
  T[keyof T & Fate]
>[number];

/** Sorts every row of the inventory by its fate; a missing one does not compile. */
export function sortRows<const T extends Partial<Record<Fate, readonly AccessKind[]>>>(
  rows: SortedRows<T> & T,
): Readonly<Record<AccessKind, Fate>> {
  const fates = Object.entries(rows as Partial<Record<Fate, readonly AccessKind[]>>).flatMap(
    ([fate, kinds]) => kinds.map((row) => [row, fate] as const),
  );
  return Object.fromEntries(fates) as Record<AccessKind, Fate>;
}

const ways = ['password', 'identity'] as const;
const own = ['second factor', 'recovery codes'] as const;
const factor = [...own, 'passkey'] as const;
/** Credentials sent to a person that start a sign-in. */
const sentCredentials = ['mailed code', 'sign-in link', 'enrolment link'] as const;
/** A sign-in that has begun and not ended. */
const begun = [...sentCredentials, 'password proof'] as const;
const sessions = ['site session', 'console session'] as const;
const keys = ['own key', 'key of a member'] as const;
const shownWork = ['shared link', 'URL of a file'] as const;
const people = ['member', 'invitation sent'] as const;
const places = ['place in a team', 'invitation received'] as const;
const teamKey = 'key made in a team';
const browser = 'remembered browser';
/** Opens nothing by itself, or is the operator's. */
const apart = [browser, 'operator key'] as const;
/** Access that stays when ways to sign in end: keys, shared links, teams. */
const others = [...keys, ...shownWork, ...people, ...places, teamKey, ...apart] as const;

/** The fate of access when a person is no longer in a team. */
const outOfTeam = sortRows({
  gone: [...places],
  bounded: [teamKey],
  kept: [...ways, ...factor, ...begun, ...sessions, ...keys, ...shownWork, ...people, ...apart],
});

/** Every act that ends access, and the fate of each row. */
export const accessEnds = {
  'leave a team': outOfTeam,
  'remove from a team': outOfTeam,
  /** Changes the role to one that cannot create keys. */
  'demote in a team': sortRows({
    bounded: ['place in a team'],
    gone: ['invitation received'],
    barred: [teamKey],
    kept: [...ways, ...factor, ...begun, ...sessions, ...keys, ...shownWork, ...people, ...apart],
  }),
  /** A suspended person may sign in again to read their own account. */
  suspend: sortRows({
    gone: [...sessions, 'mailed code', 'enrolment link'],
    barred: ['sign-in link', ...keys, 'shared link', ...people, ...places, teamKey],
    kept: [...ways, ...factor, 'password proof', 'URL of a file', ...apart],
  }),
  'reset the password': sortRows({
    gone: ['password', ...begun, ...sessions],
    held: ['identity', ...people],
    offered: [...keys, 'shared link', teamKey],
    kept: [...factor, ...places, 'URL of a file', ...apart],
  }),
  'change the password': sortRows({
    gone: ['password', ...begun, ...sessions],
    kept: ['identity', ...factor, ...others],
  }),
  /** The operator moves it, possibly to another person. */
  'move the email': sortRows({
    gone: [...ways, ...factor, ...begun, ...sessions, ...places, browser],
    bounded: [teamKey],
    kept: [...keys, ...shownWork, ...people, 'operator key'],
  }),
  /** The person changes it, with codes from both mailboxes. */
  'change the email': sortRows({
    gone: [...begun, ...sessions, 'invitation received', browser],
    kept: [
      ...ways,
      ...factor,
      ...keys,
      ...shownWork,
      ...people,
      'place in a team',
      teamKey,
      'operator key',
    ],
  }),
  'unlink an identity': sortRows({
    gone: ['identity', ...begun, ...sessions],
    kept: ['password', ...factor, ...others],
  }),
  'rotate a key': sortRows({
    bounded: [...keys, teamKey],
    kept: [...ways, ...factor, ...begun, ...sessions, ...shownWork, ...people, ...places, ...apart],
  }),
  /** Ends a customer's second factor. */
  'end the second factor': sortRows({
    gone: [...own],
    kept: ['passkey', ...ways, ...begun, ...sessions, ...others],
  }),
  /** One of a staff member; others stay, and the sign-in that waits for a code of the app. */
  'remove a passkey': sortRows({
    gone: ['passkey', ...sentCredentials, ...sessions],
    kept: [...ways, ...own, 'password proof', ...others],
  }),
  'begin the second factor': sortRows({
    gone: [...begun, ...sessions],
    kept: [...ways, ...factor, ...others],
  }),
  /** Of a staff member. The password stays, and with it the sign-in that waits for a code; other passkeys go. */
  'enrol staff': sortRows({
    gone: ['passkey', ...sentCredentials, ...sessions],
    kept: [...ways, ...own, 'password proof', ...others],
  }),
  'sign out everywhere': sortRows({
    gone: [...sessions],
    kept: [...ways, ...factor, ...begun, ...others],
  }),
  /** Staff sign the person out; sessions of the console stay. */
  'sign out of the site': sortRows({
    gone: ['site session'],
    kept: [...ways, ...factor, ...begun, 'console session', ...others],
  }),
  erase: sortRows({
    gone: [
      ...ways,
      ...factor,
      ...begun,
      ...sessions,
      ...keys,
      ...shownWork,
      ...people,
      ...places,
      browser,
    ],
    bounded: [teamKey],
    kept: ['operator key'],
  }),
} as const satisfies Record<string, Readonly<Record<AccessKind, Fate>>>;

/** An act that ends access. */
export type AccessEnd = keyof typeof accessEnds;

const externalRows = (Object.keys(accesses) as AccessKind[]).filter(
  (row): row is ExternalAccessKind =>
    accesses[row].storedIn === 'external' && row !== 'operator key',
);

/** The rows with collections of their own that an act ends, to be removed in its transaction. */
export function rowsEndedBy(end: AccessEnd): readonly ExternalAccessKind[] {
  return externalRows.filter((row) => accessEnds[end][row] === 'gone');
}
