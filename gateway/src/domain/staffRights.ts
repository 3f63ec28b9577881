import type { OperatorOperationId } from '@framegate/contract/operator';

export type StaffRole = 'support' | 'admin';

const everybody: readonly StaffRole[] = ['support', 'admin'];
const adminsOnly: readonly StaffRole[] = ['admin'];

/**
 * Roles allowed per action. Support staff answer customers and undo mistakes; anything that changes an account's rights
 * or cannot be undone is reserved for admins.
 */
export const staffRights = {
  'sign in': everybody,
  'sign out': everybody,
  'sign out everywhere': everybody,
  enrol: everybody,
  'add passkey': everybody,
  'remove passkey': everybody,
  'see costs': adminsOnly,
  'reveal prompt': everybody,
  'see refused result': everybody,
  'deliver refused result': everybody,
  'look now': everybody,
  'retry download': everybody,
  'resolve unknown': everybody,
  'fail and refund': everybody,
  'goodwill credits': everybody,
  'mail customer': everybody,
  'add note': everybody,
  'approve host': everybody,
  'refuse host': everybody,
  'revoke key': everybody,
  'end sessions': everybody,
  'take down': adminsOnly,
  'grant credits': adminsOnly,
  'adjust credits': adminsOnly,
  'change limits': adminsOnly,
  'remove second factor': adminsOnly,
  'suspend account': adminsOnly,
  'resume account': adminsOnly,
  'erase account': adminsOnly,
  invite: adminsOnly,
  'withdraw invitation': adminsOnly,
  'refuse proposal': adminsOnly,
  'sell again': adminsOnly,
  'rest route': everybody,
  'end rest': everybody,
  'stop selling': adminsOnly,
} as const;

/** Every staff action. The audit log records all of them, but no page views. */
export type StaffAction = keyof typeof staffRights;

/** Actions of an operator through `npm run admin` or at a first start, which the audit log also records. */
export type OperatorAction =
  | 'make staff account'
  | 'make enrolment link'
  | 'make operator key'
  | 'revoke operator key'
  | 'change staff role'
  | 'deliver refused result'
  | `api ${OperatorOperationId}`;

export function mayDo(role: StaffRole, action: StaffAction): boolean {
  return staffRights[action].includes(role);
}
