import { dayMs } from '@framegate/contract';
import type { Account } from '../accounts/account.ts';
import { type ApiKey, isLive } from '../accounts/apiKey.ts';
import { isErased } from '../accounts/erasedResponse.ts';
import type { TeamRole } from './teamRoles.ts';

/* The log of acts in an account, for its owners. Creations are in the history; no entry quotes a prompt. */

/** An entry's content. */
export const loggedActs = [
  'deleted',
  'cancelled',
  'published',
  'link revoked',
  'collection deleted',
  'key made',
  'key replaced',
  'key revoked',
  'key limited',
  'invited',
  'invitation revoked',
  'joined',
  'added',
  'left',
  'removed',
  'role changed',
  'limited',
  'named',
  'factor required',
  'factor not required',
] as const;

/** A kind of act in the log. */
export type LoggedAct = (typeof loggedActs)[number];

/** How long an entry is kept, in ms: a year, and a month to look back on it. */
export const logKeptMs = 396 * dayMs;

/** A person by the id of their own account, and the address at the time; both empty once the person is erased. */
export interface LoggedPerson {
  id: string;
  email: string;
}

/** Who did something, and when, in ms since the epoch. */
export interface Signature {
  at: number;
  /** Null for the operator. */
  by: LoggedPerson | null;
}

/** One act. */
export interface TeamLogEntry extends Signature {
  act: LoggedAct;
  /** The person concerned; an invited one may have no account. */
  about?: { id: string | null; email: string };
  key?: { id: string; name: string };
  /** Ids of generations. */
  generations?: string[];
  role?: TeamRole;
  /** A limit in credits, per day or month (UTC); absent for none. */
  credits?: number;
  per?: 'day' | 'month';
  /** The new name of the team, or of a deleted collection. */
  name?: string;
}

type Fact = Omit<TeamLogEntry, 'at' | 'by'>;

/**
 * The acts of one change of an account, whichever code makes it.
 * @param options.cancelled A generation that its owner took back by this change.
 */
export function loggedActsOf(
  before: Account,
  after: Account,
  { by, at, cancelled }: Signature & { cancelled?: string | undefined },
): TeamLogEntry[] {
  if (before === after || isErased(after)) return [];
  const facts: Fact[] = [
    ...(cancelled === undefined ? [] : [{ act: 'cancelled' as const, generations: [cancelled] }]),
    ...(before.keys === after.keys ? [] : keyFacts(before.keys, after.keys, at)),
    ...(before.members === after.members ? [] : memberFacts(before, after, by)),
    ...(before.formerMembers === after.formerMembers ? [] : formerFacts(before, after)),
    ...(before.invitations === after.invitations ? [] : invitationFacts(before, after, at)),
    ...teamFacts(before, after),
  ];
  return facts.map((fact) => ({ ...fact, by, at }));
}

function keyFacts(before: readonly ApiKey[], after: readonly ApiKey[], nowMs: number): Fact[] {
  const keysBefore = new Map(before.map((key) => [key.id, key]));
  const replaced = new Map(after.map((key) => [key.replacedBy, key]));
  return after.flatMap((key): Fact[] => {
    const was = keysBefore.get(key.id);
    const subject = { key: { id: key.id, name: key.name } };
    if (!was) return [{ act: replaced.has(key.id) ? 'key replaced' : 'key made', ...subject }];
    const isEnded = isLive(was, nowMs) && was.revokedAt !== key.revokedAt;
    return [
      ...(isEnded && was.replacedBy === key.replacedBy
        ? [{ act: 'key revoked' as const, ...subject }]
        : []),
      ...limitFact('day', was.dailyCredits, key.dailyCredits, { act: 'key limited', ...subject }),
      ...limitFact('month', was.monthlyCredits, key.monthlyCredits, {
        act: 'key limited',
        ...subject,
      }),
    ];
  });
}

function memberFacts(before: Account, after: Account, by: LoggedPerson | null): Fact[] {
  const membersBefore = new Map(before.members?.map((each) => [each.id, each]));
  const current = new Map(after.members?.map((each) => [each.id, each]));
  const removedMembers = [...membersBefore.values()].filter(({ id }) => !current.has(id));
  return [
    ...removedMembers.map(({ id, email }): Fact => ({
      act: by?.id === id ? 'left' : 'removed',
      about: { id, email },
    })),
    ...[...current.values()].flatMap((member): Fact[] => {
      const { id, email, role, monthlyCredits } = member;
      const about = { id, email };
      const was = membersBefore.get(id);
      const limited = limitFact('month', was?.monthlyCredits, monthlyCredits, {
        act: 'limited',
        about,
      });
      if (!was) return [{ act: by?.id === id ? 'joined' : 'added', about, role }, ...limited];
      return [
        ...(was.role === role ? [] : [{ act: 'role changed' as const, about, role }]),
        ...limited,
      ];
    }),
  ];
}

/** Limits of people who have left; their keys know their address. */
function formerFacts(before: Account, after: Account): Fact[] {
  const formerBefore = new Map(before.formerMembers?.map((each) => [each.id, each]));
  return (after.formerMembers ?? []).flatMap(({ id, monthlyCredits }) => {
    const was = formerBefore.get(id);
    if (!was) return [];
    const email = after.keys.find(({ madeBy }) => madeBy?.id === id)?.madeBy?.email ?? '';
    const about = { id, email };
    return limitFact('month', was.monthlyCredits, monthlyCredits, { act: 'limited', about });
  });
}

function invitationFacts(before: Account, after: Account, nowMs: number): Fact[] {
  const { invitations: was = [] } = before;
  const { invitations: current = [], members = [] } = after;
  const newInvitations = current.filter(({ id }) => !was.some((each) => each.id === id));
  const revokedInvitations = was.filter(({ email, until }) => {
    const isUsed = members.some((each) => each.email === email);
    return until > nowMs && !isUsed && !current.some((each) => each.email === email);
  });
  return [
    ...newInvitations.map(({ email, role, monthlyCredits }): Fact => {
      const limit = monthlyCredits === undefined ? {} : { credits: monthlyCredits };
      return { act: 'invited', about: { id: null, email }, role, ...limit };
    }),
    ...revokedInvitations.map(({ email }): Fact => ({
      act: 'invitation revoked',
      about: { id: null, email },
    })),
  ];
}

function teamFacts(before: Account, after: Account): Fact[] {
  const { teamName: name = '', teamNeedsFactor: isRequired = false } = after;
  const wasRequired = before.teamNeedsFactor ?? false;
  return [
    ...((before.teamName ?? '') === name ? [] : [{ act: 'named' as const, name }]),
    ...(wasRequired === isRequired
      ? []
      : [{ act: isRequired ? ('factor required' as const) : ('factor not required' as const) }]),
  ];
}

function limitFact(
  per: 'day' | 'month',
  before: number | undefined,
  after: number | undefined,
  fact: Fact,
): Fact[] {
  if (before === after) return [];
  return [{ ...fact, per, ...(after !== undefined && { credits: after }) }];
}

/** Ids and addresses by which the entries about a person are found. */
export function peopleIn({ by, about }: Pick<TeamLogEntry, 'by' | 'about'>): string[] {
  const all = [by?.id, by?.email, about?.id, about?.email];
  return [...new Set(all.filter((each) => typeof each === 'string' && each !== ''))] as string[];
}
