import { expect, test } from '@jest/globals';
import {
  mayInTeam,
  roleMayActOn,
  type TeamAct,
  teamActs,
  type TeamRole,
  teamRoles,
} from './teamRoles.ts';

const acts = Object.keys(teamActs) as TeamAct[];
const of = (role: TeamRole) => acts.filter((act) => mayInTeam(role, act));

test('an owner may do everything', () => {
  expect(of('owner')).toEqual(acts);
});

test('a member may change, delete and publish their own work', () => {
  expect(of('member')).toEqual([
    'see work',
    'see prompts',
    'create',
    'collect',
    'change own collections',
    'delete own work',
    'publish own work',
    'make own keys',
    'see own place',
  ]);
});

test('an editor may do the same to the work of others, and nothing else', () => {
  const more = of('editor').filter((act) => !mayInTeam('member', act));
  expect(more).toEqual(['change all collections', 'delete all work', 'publish all work']);
});

test('billing may see credits with the names of keys, and no work', () => {
  expect(of('billing')).toEqual(['see key names', 'see credits', 'see own place']);
});

test.each(teamRoles)(
  '%s may do at least as much with their own work as with that of others',
  (role) => {
    for (const act of ['change own collections', 'delete own work', 'publish own work'] as const) {
      expect(roleMayActOn(role, act, true)).toBe(mayInTeam(role, act));
      expect(roleMayActOn(role, act, true) || !roleMayActOn(role, act, false)).toBe(true);
    }
  },
);
