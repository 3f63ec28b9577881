import { AdminProblem } from '../application/admin/adminProblem.ts';
import { createAccount } from '../application/admin/createAccount.ts';
import type { AdminDeps, Command } from './command.ts';
import type { Flags } from './flags.ts';
import { UsageError } from './usageError.ts';

/**
 * `account create`. A password on the command line is shown by `ps` and kept in npm's logs, so it comes
 * on standard input, or its owner chooses it.
 */
export const createAccountCommand: Command = {
  usage: '--email E [--password-stdin] [--verified] [--staff support|admin]',
  summary:
    'Makes an account. Its owner chooses the password, at the printed address: staff by a link that works for an hour, once; customers by a code that is mailed to them. --password-stdin takes it from standard input instead. (--password P does, too, but other users of the machine see it.)',
  flags: {
    email: 'text',
    'password-stdin': 'switch',
    password: 'text',
    verified: 'switch',
    staff: 'text',
  },
  read(flags) {
    const readPassword = passwordReader(flags);
    const command = {
      email: flags.text('email'),
      verified: flags.given('verified'),
      staffRole: flags.choice('staff', ['support', 'admin'] as const) ?? null,
    };
    return async (deps) => {
      const password = await readPassword(deps);
      const { id, staffRole } = await createAccount(deps, { ...command, password });
      if (staffRole !== null) await deps.noteOperator('make staff account', id, staffRole);
      if (password !== null) return { account_id: id };
      if (staffRole === null) return { account_id: id, password_url: deps.forgottenPasswordUrl };
      return { account_id: id, enrolment_url: await deps.enrolmentLink(id, true) };
    };
  },
};

/** @throws UsageError when it is given twice. */
function passwordReader(flags: Flags): (deps: AdminDeps) => Promise<string | null> {
  const isPiped = flags.given('password-stdin');
  if (flags.has('password')) {
    if (isPiped) throw new UsageError('Give --password-stdin alone.');
    const typed = flags.text('password');
    return async () => typed;
  }
  if (!isPiped) return async () => null;
  return async (deps) => {
    const line = await deps.readLine();
    if (line === '') throw new AdminProblem('There is no password on standard input.');
    return line;
  };
}
