import { accesses, type Access, type AccessBeside } from './access.ts';

/**
 * What becomes of access by an act:
 * - `gone`: it opens nothing from the next request on.
 * - `barred`: it stays, and does nothing while a state lasts, such as a suspension or a role.
 * - `held`: it is barred until the person has chosen what to keep, and the choice proposes its end.
 * - `offered`: it works on until that choice, which proposes its end.
 * - `bounded`: it stays, and may do no more than before; limits and counts stay with it.
 * - `kept`: the act does not concern it.
 */
export type Fate = 'gone' | 'barred' | 'held' | 'offered' | 'bounded' | 'kept';

/** Rows sorted by fate; a row without a fate does not compile. */
type Sorted<T extends Partial<Record<Fate, readonly Access[]>>> =
  Exclude<Access, NonNullable<T[Fate]>[number]> extends never
    ? T
    : { missing: Exclude<Access, NonNullable<T[Fate]>[number]> };

function sort<const T extends Partial<Record<Fate, readonly Access[]>>>(
  rows: Sorted<T> & T,
): Readonly<Record<Access, Fate>> {
  const fates = Object.entries(rows as Partial<Record<Fate, readonly Access[]>>).flatMap(
    ([fate, named]) => named.map((row) => [row, fate] as const),
  );
  return Object.fromEntries(fates) as Record<Access, Fate>;
}

const ways = ['password', 'identity'] as const;
const factor = ['second factor', 'recovery codes'] as const;
/** A sign-in that has begun and not ended. */
const begun = ['mailed code', 'sign-in link', 'password proof'] as const;
const sessions = ['site session', 'console session'] as const;
const keys = ['own key', 'key of a member'] as const;
const shown = ['shared link', 'address of a file'] as const;
const people = ['member', 'invitation sent'] as const;
const places = ['place in a team', 'invitation received'] as const;
const teamKey = 'key made in a team';
/** Opens nothing by itself, or is the operator's. */
const apart = ['remembered browser', 'operator key'] as const;

/** A person is no longer in a team: what that means in this team. */
const outOfTeam = sort({
  gone: [...places],
  bounded: [teamKey],
  kept: [...ways, ...factor, ...begun, ...sessions, ...keys, ...shown, ...people, ...apart],
});

/** Every act that ends something, and what becomes of each row. */
export const accessEnds = {
  'leave a team': outOfTeam,
  'remove from a team': outOfTeam,
  /** To a role that makes no keys. */
  'demote in a team': sort({
    bounded: ['place in a team'],
    gone: ['invitation received'],
    barred: [teamKey],
    kept: [...ways, ...factor, ...begun, ...sessions, ...keys, ...shown, ...people, ...apart],
  }),
  suspend: sort({
    barred: [...begun, ...sessions, ...keys, ...people, ...places, teamKey],
    kept: [...ways, ...factor, ...shown, ...apart],
  }),
  'reset the password': sort({
    gone: ['password', ...begun, ...sessions],
    held: ['identity', ...people],
    offered: [...keys, 'shared link', teamKey],
    kept: [...factor, ...places, 'address of a file', ...apart],
  }),
  'change the password': sort({
    gone: ['password', ...begun, ...sessions],
    kept: ['identity', ...factor, ...keys, ...shown, ...people, ...places, teamKey, ...apart],
  }),
  /** By the operator, perhaps to another person. */
  'move the address': sort({
    gone: [...ways, ...factor, ...begun, ...sessions, ...places],
    bounded: [teamKey],
    kept: [...keys, ...shown, ...people, ...apart],
  }),
  /** By its own person, with codes from both mailboxes. */
  'change the address': sort({
    gone: [...begun, ...sessions, 'invitation received'],
    kept: [...ways, ...factor, ...keys, ...shown, ...people, 'place in a team', teamKey, ...apart],
  }),
  'unlink an identity': sort({
    gone: ['identity', ...begun, ...sessions],
    kept: ['password', ...factor, ...keys, ...shown, ...people, ...places, teamKey, ...apart],
  }),
  'rotate a key': sort({
    bounded: [...keys, teamKey],
    kept: [...ways, ...factor, ...begun, ...sessions, ...shown, ...people, ...places, ...apart],
  }),
  'end the second factor': sort({
    gone: [...factor],
    kept: [
      ...ways,
      ...begun,
      ...sessions,
      ...keys,
      ...shown,
      ...people,
      ...places,
      teamKey,
      ...apart,
    ],
  }),
  erase: sort({
    gone: [...ways, ...factor, ...begun, ...sessions, ...keys, ...shown, ...people, ...places],
    bounded: [teamKey],
    kept: [...apart],
  }),
} as const satisfies Record<string, Readonly<Record<Access, Fate>>>;

/** An act that ends access. */
export type AccessEnd = keyof typeof accessEnds;

const besideRows = (Object.keys(accesses) as Access[]).filter(
  (row): row is AccessBeside => accesses[row].kept === 'beside' && row !== 'operator key',
);

/** The rows with collections of their own that an act ends, to be removed in its transaction. */
export function endedBeside(end: AccessEnd): readonly AccessBeside[] {
  return besideRows.filter((row) => accessEnds[end][row] === 'gone');
}
