import type { Account } from '../accounts/account.ts';

/** Maximum length of a team's name, in characters. */
export const maxTeamNameCharacters = 40;

/**
 * Names appear in emails: none can pass for a link, another line or another writing direction. A dot only ends a word,
 * as in "Acme Inc."
 */
const namePattern = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N} &,'’()-]|\.(?= |$))*$/u;

/** A typed name in the form in which it is kept, empty for none; null if it is not a name. */
export function parseTeamName(typed: string): string | null {
  const name = typed.slice(0, 200).replace(/\s+/g, ' ').trim().normalize();
  if (name === '') return name;
  return [...name].length <= maxTeamNameCharacters && namePattern.test(name) ? name : null;
}

/** The name of a team; null without one. */
export const teamNameOf = ({ teamName = '' }: Pick<Account, 'teamName'>): string | null =>
  teamName === '' ? null : teamName;
