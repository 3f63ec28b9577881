import type { TeamRight } from '../../../domain/teamRoles.ts';

/** The person's own matters, for which no role counts. */
const own =
  /^\/(sign-in|sign-out|sign-up|confirm|forgotten-password|start|language|settings\/(account|join|acts-for|team\/leave))(\/|$)|^\/settings\/team$/;

/** Rights of the pages of an account and of their forms, by the beginnings of their paths. */
const rights: readonly [RegExp, TeamRight][] = [
  [/^\/(history|collections|generations)(\/|$)/, 'see work'],
  [/^\/studio(\/|$)/, 'create'],
  [/^\/settings\/public-api\/keys\/[^/]+\/month$/, 'manage all keys'],
  [/^\/settings\/public-api(\/|$)/, 'make own keys'],
  [/^\/credits(\/|$)/, 'see credits'],
];

/** The right that a page or form of the site needs: that of an owner for everything not named here. */
export function rightFor(path: string): TeamRight | 'own' {
  if (own.test(path)) return 'own';
  return rights.find(([pattern]) => pattern.test(path))?.[1] ?? 'manage people';
}
