import fc from 'fast-check';

/**
 * The parts of a random world: a person with an account, in the team of an owner, with a helper in their own account.
 */
export interface WorldPlan {
  hasFactor: boolean;
  hasIdentity: boolean;
  hasHelper: boolean;
  isInvited: boolean;
  hasLink: boolean;
  /** Whether the person is also staff, with a console session. */
  isStaff: boolean;
  role: 'owner' | 'member' | 'billing';
  /** Credits that the person, and the key that they made in the team, may still spend this month. */
  left: number | undefined;
  keyLeft: number | undefined;
  times: 'once' | 'twice' | 'in parallel';
  /** Whether the key in the team creates during the act. */
  creates: boolean;
}

const limit = fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined });
/** Arbitrary worlds. */
export const worldPlan: fc.Arbitrary<WorldPlan> = fc.record({
  hasFactor: fc.boolean(),
  hasIdentity: fc.boolean(),
  hasHelper: fc.boolean(),
  isInvited: fc.boolean(),
  hasLink: fc.boolean(),
  isStaff: fc.constant(false),
  role: fc.constantFrom('owner', 'member', 'member', 'billing'),
  left: limit,
  keyLeft: limit,
  times: fc.constantFrom('once', 'twice', 'in parallel'),
  creates: fc.boolean(),
});
