/** What a member of staff may be. */
export type StaffRole = 'support' | 'admin';

const everybody: readonly StaffRole[] = ['support', 'admin'];
const adminsOnly: readonly StaffRole[] = ['admin'];

/**
 * Who may do what. Support answer customers and undo what went wrong; whatever changes an account's
 * rights, or cannot be undone, is an admin's.
 */
export const staffRights = {
  'sign in': everybody,
  'sign out': everybody,
  'sign out everywhere': everybody,
  enrol: everybody,
  'see costs': adminsOnly,
  'reveal prompt': everybody,
  'look now': everybody,
  'retry download': everybody,
  'resolve unknown': everybody,
  'fail and refund': everybody,
  'goodwill credits': everybody,
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
  'refuse proposal': adminsOnly,
} as const;

/** Everything that staff may do. The audit log holds it all, but the reading of pages. */
export type StaffAction = keyof typeof staffRights;

/** What an operator does by `npm run admin` or a first start, and the audit log holds as well. */
export type OperatorAction = 'make staff account' | 'make enrolment link';

/** Whether this role may do it. */
export function mayDo(role: StaffRole, action: StaffAction): boolean {
  return staffRights[action].includes(role);
}
