import { expect, test } from '@jest/globals';
import { mayInTeam, teamRights, type TeamRight, type TeamRole } from './teamRoles.ts';

const rights = Object.keys(teamRights) as TeamRight[];
const of = (role: TeamRole) => rights.filter((right) => mayInTeam(role, right));

test('an owner may do everything', () => {
  expect(of('owner')).toEqual(rights);
});

test('a member works and makes own keys, without credits and people', () => {
  expect(of('member')).toEqual(['see work', 'create', 'make own keys']);
});

test('billing sees credits, and nothing else', () => {
  expect(of('billing')).toEqual(['see credits']);
});
