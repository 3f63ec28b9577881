import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type Claims,
  customerMeaning,
  hasSecondFactor,
  isOfTenant,
  type KnownAccounts,
  parseClaims,
  roleOf,
  staffMeaning,
} from './signOn.ts';

const email = fc.constantFrom(null, 'ada@example.com', 'bob@example.com');
const claims: fc.Arbitrary<Claims> = fc.record({
  issuer: fc.constant('https://id.example'),
  subject: fc.string({ minLength: 1, maxLength: 8 }),
  email,
  hasUnverifiedEmail: fc.boolean(),
  groups: fc.array(fc.constantFrom('ops', 'help', 'others')),
  methods: fc.array(fc.constantFrom('pwd', 'mfa', 'hwk')),
});
const linked = fc.record({
  id: fc.constant('acct_linked'),
  email: fc.constantFrom('ada@example.com', 'bob@example.com'),
  isVerified: fc.boolean(),
  status: fc.constantFrom('active' as const, 'suspended' as const),
});
const known: fc.Arbitrary<KnownAccounts> = fc.record({
  linked: fc.option(linked),
  withEmail: fc.option(fc.constant({ id: 'acct_other' })),
});
const role = fc.constantFrom(null, 'support' as const, 'admin' as const);

describe('whatever a provider says', () => {
  const everyMeaning = (
    check: (meaning: ReturnType<typeof customerMeaning>, of: Claims, known: KnownAccounts) => void,
  ) =>
    fc.assert(
      fc.property(claims, known, fc.boolean(), role, (said, accounts, mayMake, given) => {
        check(customerMeaning(said, accounts, mayMake), said, accounts);
        check(staffMeaning(said, accounts, given), said, accounts);
      }),
      { numRuns: 1_000 },
    );

  test('only the linked account is opened', () => {
    everyMeaning((meaning, _, { linked: own }) => {
      if (meaning.do === 'enter') expect(meaning.accountId).toBe(own?.id);
    });
  });

  test('an account is made only for a verified address that no account has', () => {
    everyMeaning((meaning, said, accounts) => {
      if (meaning.do !== 'create') return;
      expect(meaning.email).toBe(said.email);
      expect(accounts).toEqual({ linked: null, withEmail: null });
    });
  });

  test('an account becomes verified only by its own address', () => {
    everyMeaning((meaning, said, { linked: own }) => {
      if (meaning.do === 'enter' && meaning.verifies) expect(said.email).toBe(own?.email);
      if (meaning.do === 'enter' && !meaning.verifies) expect(own?.isVerified).toBe(true);
    });
  });

  test('neither a person without a role nor a suspended account enters the console', () => {
    fc.assert(
      fc.property(claims, known, role, (said, accounts, given) => {
        const meaning = staffMeaning(said, accounts, given);
        if (given === null || accounts.linked?.status === 'suspended') {
          expect(meaning.do).toBe('refuse');
        }
      }),
    );
  });
});

describe('claims', () => {
  const said = { iss: 'https://id.example', sub: '1', email: ' Ada@Example.COM' };

  test.each([
    [true, 'ada@example.com'],
    ['true', 'ada@example.com'],
    [false, null],
    ['false', null],
    [undefined, null],
    [1, null],
    ['yes', null],
  ])('email_verified %j gives %j', (verified, expected) => {
    const read = parseClaims({ ...said, email_verified: verified }, 'groups');
    expect(read?.email).toBe(expected);
    expect(read?.hasUnverifiedEmail).toBe(expected === null);
  });

  test('of any shape are read or refused, and never believed in part', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom('iss', 'sub', 'email', 'email_verified', 'amr', 'acr', 'groups'),
          fc.jsonValue(),
        ),
        (any) => {
          const read = parseClaims(any, 'groups');
          if (read === null) return;
          expect(typeof read.subject === 'string' && read.subject.length <= 255).toBe(true);
          for (const text of [...read.groups, ...read.methods]) expect(typeof text).toBe('string');
          if (read.email !== null) expect([true, 'true']).toContain(any['email_verified']);
        },
      ),
    );
  });

  test('groups and methods may be one text or a list', () => {
    const read = parseClaims(
      { ...said, roles: 'ops', amr: ['pwd', 3, 'mfa'], acr: 'gold' },
      'roles',
    );
    expect(read).toMatchObject({ groups: ['ops'], methods: ['pwd', 'mfa', 'gold'], email: null });
  });
});

test('the highest role of several groups counts, and groups are compared exactly', () => {
  const staff = { admin: ['ops'], support: ['help'], viewer: ['audit'] };
  expect(roleOf(['help', 'ops'], staff)).toBe('admin');
  expect(roleOf(['audit', 'help'], staff)).toBe('support');
  expect(roleOf(['audit'], staff)).toBe('viewer');
  expect(roleOf(['OPS', 'helpers', ''], staff)).toBeNull();
  expect(roleOf([], { admin: [], support: [], viewer: [] })).toBeNull();
});

test('a second factor counts if it is named, or if the operator vouches for it', () => {
  expect(hasSecondFactor({ methods: ['pwd', 'mfa'] }, ['mfa'])).toBe(true);
  expect(hasSecondFactor({ methods: ['pwd'] }, ['mfa'])).toBe(false);
  expect(hasSecondFactor({ methods: [] }, [])).toBe(false);
  expect(hasSecondFactor({ methods: ['*'] }, ['mfa'])).toBe(false);
  expect(hasSecondFactor({ methods: [] }, ['*'])).toBe(true);
});

test('a token is of a listed tenant that its issuer names as well', () => {
  const template = 'https://id.example/{tenantid}/v2.0';
  const of = (tid: string, named = tid) => ({ tid, iss: `https://id.example/${named}/v2.0` });
  expect(isOfTenant(of('own'), template, ['own', 'other'])).toBe(true);
  for (const claimed of [of('stranger'), of('own', 'stranger'), { iss: of('own').iss }]) {
    expect(isOfTenant(claimed, template, ['own'])).toBe(false);
  }
  expect(isOfTenant({ tid: '$&', iss: template }, template, ['own'])).toBe(false);
  expect(isOfTenant(of('own'), template, [])).toBe(false);
  // Without a list, an issuer of one tenant.
  const single = of('own').iss;
  expect(isOfTenant({ iss: single }, single, [])).toBe(true);
  expect(isOfTenant(of('stranger'), single, [])).toBe(false);
});
