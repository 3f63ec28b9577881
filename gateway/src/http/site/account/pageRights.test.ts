import { expect, test } from '@jest/globals';
import { rightFor } from './pageRights.ts';

test.each([
  ['own', '/sign-in /sign-in/link /sign-out /sign-up /confirm/cfm_1 /forgotten-password /language'],
  ['own', '/settings/account /settings/account/second-factor/on /settings/join/acct_1/ab'],
  ['own', '/settings/acts-for /settings/team /settings/team/leave'],
  ['manage people', '/settings/team/invite /settings/team/remove /settings/team/limit'],
  ['create', '/studio /studio/uploads/upl_1'],
  ['see work', '/history /history/delete /collections/col_1/name /generations/gen_1/share'],
  ['make own keys', '/settings/public-api /settings/public-api/keys/key_1/revoke'],
  ['manage all keys', '/settings/public-api/keys/key_1/month'],
  ['see credits', '/credits /credits/ledger.csv'],
  // An unlisted page, and paths that merely resemble others.
  ['manage people', '/settings/new /creditscore /studios /settings/accounts /x/settings/account'],
])('the right %s is needed for %s', (right, paths) => {
  expect(paths.split(' ').filter((path) => rightFor(path) !== right)).toEqual([]);
});
