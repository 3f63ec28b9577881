import type { OperatorOperationId } from '@framegate/contract/operator';

/** Roles of staff, the highest last. */
export const staffRoles = ['viewer', 'support', 'admin'] as const;

/** The role of a staff member. */
export type StaffRole = (typeof staffRoles)[number];

const everybody: readonly StaffRole[] = staffRoles;
const acting: readonly StaffRole[] = ['support', 'admin'];
const adminsOnly: readonly StaffRole[] = ['admin'];

/**
 * Roles allowed per action. Viewers see everything and change nothing. Support staff answer customers and undo
 * mistakes; anything that changes an account's rights or cannot be undone is reserved for admins.
 */
export const staffRights = {
  'sign in': everybody,
  'sign out': everybody,
  'sign out everywhere': everybody,
  enrol: everybody,
  'add passkey': everybody,
  'remove passkey': everybody,
  see: everybody,
  'see costs': ['viewer', 'admin'],
  'reveal prompt': everybody,
  'see refused result': everybody,
  'deliver refused result': acting,
  'poll now': acting,
  'retry download': acting,
  'resolve unknown': acting,
  'fail and refund': acting,
  'goodwill credits': acting,
  'undo goodwill': acting,
  'mail customer': acting,
  'add note': acting,
  'approve host': acting,
  'refuse host': acting,
  'revoke key': acting,
  'end sessions': acting,
  'take down': adminsOnly,
  'grant credits': adminsOnly,
  'adjust credits': adminsOnly,
  'change limits': adminsOnly,
  'remove second factor': adminsOnly,
  'suspend account': adminsOnly,
  'resume account': adminsOnly,
  'erase account': adminsOnly,
  'withdraw erasure': acting,
  'decline credits': acting,
  invite: adminsOnly,
  'revoke invitation': adminsOnly,
  'invite staff': adminsOnly,
  'end staff role': adminsOnly,
  'confirm proposal': adminsOnly,
  'refuse proposal': adminsOnly,
  'sell again': adminsOnly,
  'pause route': acting,
  'end pause': acting,
  'stop selling': adminsOnly,
} as const satisfies Record<string, readonly StaffRole[]>;

/** Every staff action. The audit log records all of them, but no page views. */
export type StaffAction = keyof typeof staffRights;

/** Acts of an operator outside the console, which the audit log also records. */
export type OperatorAction =
  | 'make staff account'
  | 'make enrolment link'
  | 'change staff role'
  | CommandAction
  | `api ${OperatorOperationId}`;

/** A command of `npm run admin`, by its two words. */
export type CommandAction = `command ${string}`;

/** Whether a role may take this action. */
export function mayDo(role: StaffRole, action: StaffAction): boolean {
  const allowed: readonly StaffRole[] = staffRights[action];
  return allowed.includes(role);
}
