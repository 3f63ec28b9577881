import type { TeamRight } from '../../../domain/teamRoles.ts';

/** The person's own matters, independent of any role. */
const own =
  /^\/(sign-in|sign-out|sign-up|confirm|forgotten-password|start|language|settings\/(account|access|join|acts-for|team\/leave))(\/|$)|^\/settings\/team$/;

/** Rights required by an account's pages and their forms, by the start of their paths. */
const rights: readonly [RegExp, TeamRight][] = [
  [/^\/(history|collections|generations)(\/|$)/, 'see work'],
  [/^\/studio(\/|$)/, 'create'],
  [/^\/settings\/public-api\/keys\/[^/]+\/month$/, 'manage all keys'],
  [/^\/settings\/public-api(\/|$)/, 'make own keys'],
  [/^\/credits(\/|$)/, 'see credits'],
];

/** The right required by a page or form of the site; an owner's right if it is not listed here. */
export function rightFor(path: string): TeamRight | 'own' {
  if (own.test(path)) return 'own';
  return rights.find(([pattern]) => pattern.test(path))?.[1] ?? 'manage people';
}
