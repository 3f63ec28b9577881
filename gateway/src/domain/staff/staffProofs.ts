import type { StaffAction } from './staffRights.ts';

/**
 * Whether an action needs proof of its person, by a passkey or a code, whatever the session did before: actions that
 * move credits, destroy something that cannot be restored, or give power over an account.
 */
export const needsProof: Readonly<Record<StaffAction, boolean>> = {
  'sign in': false,
  'sign out': false,
  'sign out everywhere': false,
  enrol: false,
  // Its challenge is given only after a proof.
  'add passkey': false,
  'remove passkey': true,
  see: false,
  'see costs': false,
  'reveal prompt': false,
  'see refused result': false,
  'deliver refused result': true,
  'poll now': false,
  'retry download': false,
  'resolve unknown': true,
  'fail and refund': true,
  'goodwill credits': true,
  'undo goodwill': true,
  'mail customer': false,
  'add note': false,
  'approve host': false,
  'refuse host': false,
  'revoke key': false,
  'end sessions': false,
  'take down': true,
  'grant credits': true,
  'adjust credits': true,
  'change limits': false,
  'remove second factor': true,
  'suspend account': false,
  'resume account': false,
  'erase account': true,
  'withdraw erasure': false,
  'decline credits': false,
  invite: false,
  'revoke invitation': false,
  'invite staff': true,
  'end staff role': true,
  // Proved as the proposed action.
  'confirm proposal': false,
  'refuse proposal': false,
  'sell again': false,
  'pause route': false,
  'end pause': false,
  'stop selling': false,
};
