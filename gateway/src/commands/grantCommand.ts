import { randomUUID } from 'node:crypto';
import { maxGrantCredits, messageOf } from '@framegate/contract';
import type { GrantCommand } from '../application/credits/grantCredits.ts';
import { lotKinds, operatorReference } from '../domain/credits/credits.ts';
import { parseIdempotencyKey } from '../domain/generations/idempotency.ts';
import { CommandError } from '../domain/installation/commandError.ts';
import { quoteForShell } from '../domain/text/quoteForShell.ts';
import { isoTime } from '../domain/time/isoTime.ts';
import type { Command } from './command.ts';
import { type Flags, UsageError } from './flags.ts';

const maxReasonLength = 500;

/** `credits grant`: grants once per idempotency key, which is generated if absent. */
export const grantCommand: Command = {
  usage: `--account A --amount N [--kind ${lotKinds.join('|')}] [--expires ISO] [--reason R] [--idempotency-key K]`,
  summary:
    'Grants credits to an account, promotional unless --kind names another kind. Repeating an idempotency key grants nothing and returns the original lot.',
  flags: {
    account: 'text',
    amount: 'text',
    kind: 'text',
    expires: 'text',
    reason: 'text',
    'idempotency-key': 'text',
  },
  noted: 'with its change',
  prepare(flags) {
    const amountCredits = flags.wholeNumber('amount', 1, maxGrantCredits);
    if (amountCredits === undefined) throw new UsageError('--amount is missing.');
    const key = parseKey(flags);
    const command = {
      accountId: flags.text('account'),
      amountCredits,
      kind: flags.choice('kind', lotKinds) ?? 'promotional',
      expiresAt: flags.time('expires') ?? null,
      reason: parseReason(flags),
      reference: operatorReference(key),
    };
    return async (deps) => {
      const { grantCredits, UnknownOutcomeError } =
        await import('../application/credits/grantCredits.ts');
      const advice = `We do not know whether the credits were granted. Run exactly this command; it cannot grant them twice:\n${commandLine(command, key)}`;
      deps.adviseIfStopped(advice);
      try {
        const { id, wasReplayed } = await grantCredits(deps, command);
        return { lot_id: id, idempotency_key: key, replayed: wasReplayed };
      } catch (error) {
        if (!(error instanceof UnknownOutcomeError)) throw error;
        throw new CommandError(
          `The database did not respond (${messageOf(error.cause)}). ${advice}`,
        );
      }
    };
  },
};

function parseKey(flags: Flags): string {
  if (!flags.has('idempotency-key')) return randomUUID();
  const header = parseIdempotencyKey(flags.text('idempotency-key'));
  if (header.ok) return header.key;
  throw new UsageError(
    '--idempotency-key must be 1 to 255 visible ASCII characters without spaces.',
  );
}

function parseReason(flags: Flags): string {
  if (!flags.has('reason')) return 'granted by an operator';
  const reason = flags.text('reason').trim();
  if (reason !== '' && reason.length <= maxReasonLength) return reason;
  throw new UsageError(`--reason must be 1 to ${maxReasonLength} characters long.`);
}

/** The command line that repeats the same grant, for a POSIX shell. */
function commandLine(command: GrantCommand & { expiresAt: number | null }, key: string): string {
  const { accountId, amountCredits, kind, expiresAt, reason } = command;
  const values = {
    account: accountId,
    amount: String(amountCredits),
    kind,
    ...(expiresAt !== null && { expires: isoTime(expiresAt) }),
    ...(reason !== null && { reason }),
    'idempotency-key': key,
  };
  const flags = Object.entries(values).map(([name, value]) => `--${name} ${quoteForShell(value)}`);
  return `npm run --silent admin -- credits grant ${flags.join(' ')}`;
}
