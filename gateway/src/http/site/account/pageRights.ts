import { literalPattern } from '@framegate/contract';
import { mayInTeam, type TeamAct, type TeamRole } from '../../../domain/teams/teamRoles.ts';

/** A page or form, with the names of the parts of its path that vary. */
type Route = `${'GET' | 'POST'} /${string}`;

/**
 * The right that each page and form of the site requires: an act in the account that the person acts for, or none
 * (`own`) if it concerns only the person. For an act on one's own things, the page also checks the thing (`mayActOn`).
 */
export const pageRights: Readonly<Record<Route, TeamAct | 'own'>> = {
  'GET /sign-in': 'own',
  'POST /sign-in': 'own',
  'GET /sign-in/code': 'own',
  'POST /sign-in/code': 'own',
  'GET /sign-in/link': 'own',
  'POST /sign-in/link': 'own',
  'GET /sign-in/oidc': 'own',
  'GET /sign-in/oidc/callback': 'own',
  'POST /sign-out': 'own',
  'GET /sign-up': 'own',
  'POST /sign-up': 'own',
  'GET /confirm/:id': 'own',
  'POST /confirm/:id': 'own',
  'GET /forgotten-password': 'own',
  'POST /forgotten-password': 'own',
  'POST /start': 'own',
  'POST /language': 'own',
  'GET /settings/account': 'own',
  'POST /settings/account/password': 'own',
  'POST /settings/account/mails': 'own',
  'POST /settings/account/sessions': 'own',
  'GET /settings/account/second-factor': 'own',
  'POST /settings/account/second-factor/on': 'own',
  'POST /settings/account/second-factor/recovery-codes': 'own',
  'POST /settings/account/second-factor/off': 'own',
  'POST /settings/account/link': 'own',
  'POST /settings/account/unlink': 'own',
  'GET /settings/account/email': 'own',
  'POST /settings/account/email': 'own',
  'GET /settings/account/email/codes': 'own',
  'POST /settings/account/email/codes': 'own',
  'GET /settings/account/export': 'own',
  'POST /settings/account/export': 'own',
  'GET /settings/account/erasure': 'own',
  'POST /settings/account/erasure': 'own',
  'POST /settings/account/erasure/keep': 'own',
  'GET /settings/access': 'own',
  'POST /settings/access': 'own',
  'GET /settings/join/:account/:token': 'own',
  'POST /settings/join/:account/:token': 'own',
  'POST /settings/acts-for': 'own',
  'POST /settings/team/leave': 'own',
  'GET /settings/team': 'see own place',
  'POST /settings/team/invite': 'manage people',
  'POST /settings/team/revoke': 'manage people',
  'POST /settings/team/role': 'manage people',
  'POST /settings/team/limit': 'manage people',
  'POST /settings/team/remove': 'manage people',
  'POST /settings/team/keys': 'manage all keys',
  'GET /settings/team/log': 'see the log',
  'GET /settings/team/settings': 'manage the team',
  'POST /settings/team/name': 'manage the team',
  'POST /settings/team/factor': 'manage the team',
  'GET /studio': 'create',
  'POST /studio': 'create',
  'GET /studio/uploads/:id': 'create',
  'POST /generations/:id/again': 'create',
  'POST /generations/:id/frame': 'create',
  'GET /history': 'see work',
  'GET /history/files.zip': 'see work',
  'GET /history/compare': 'see work',
  'GET /history/links': 'publish own work',
  'GET /generations/:id': 'see work',
  'GET /generations/:id/files.zip': 'see work',
  'GET /generations/:id/progress': 'see work',
  'POST /history/favourites': 'collect',
  'POST /history/collections': 'collect',
  'POST /collections/:id/take-out': 'change own collections',
  'POST /collections/:id/name': 'change own collections',
  'POST /collections/:id/delete': 'change own collections',
  'GET /history/delete': 'delete own work',
  'POST /history/delete': 'delete own work',
  'POST /generations/:id/cancel': 'delete own work',
  'GET /generations/:id/share': 'publish own work',
  'POST /generations/:id/share': 'publish own work',
  'POST /generations/:id/share/revoke': 'publish own work',
  'GET /settings/public-api': 'make own keys',
  'POST /settings/public-api/keys': 'make own keys',
  'GET /settings/public-api/keys/:keyId': 'make own keys',
  'POST /settings/public-api/keys/:keyId/rotate': 'make own keys',
  'POST /settings/public-api/keys/:keyId/revoke': 'make own keys',
  'POST /settings/public-api/keys/:keyId/limit': 'make own keys',
  'POST /settings/public-api/keys/:keyId/hosts': 'make own keys',
  'POST /settings/public-api/keys/:keyId/month': 'manage all keys',
  'GET /credits': 'see credits',
  'POST /credits/ask': 'see credits',
  'GET /credits/ledger.csv': 'see credits',
};

const patterns = Object.entries(pageRights).map(([route, right]) => {
  const parts = route
    .split('/')
    .map((part) => (part.startsWith(':') ? '[^/]+' : literalPattern(part)));
  return { pattern: new RegExp(`^${parts.join('/')}$`), right };
});

/** Rights for GET paths without an id: every page looks these up to build its menu. */
const fixedRoutes = new Map(
  Object.entries(pageRights).filter(([route]) => route.startsWith('GET ') && !route.includes(':')),
);

/** The right that a request needs; an owner's if its page is not listed. */
export function rightFor(method: string, path: string): TeamAct | 'own' {
  const route = `${method === 'HEAD' ? 'GET' : method} ${path}`;
  return (
    fixedRoutes.get(route) ??
    patterns.find(({ pattern }) => pattern.test(route))?.right ??
    'manage the team'
  );
}

/** Whether a person may open a page of the site, so that another page may link to it. */
export function mayOpen(
  { role, lacksFactor }: { role: TeamRole; lacksFactor: boolean },
  path: string,
): boolean {
  const right = rightFor('GET', path);
  return right === 'own' || (!lacksFactor && mayInTeam(role, right));
}
