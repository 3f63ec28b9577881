import type { Account } from '../domain/accounts/account.ts';
import { Refusal, requireGeneration } from '../domain/refusal.ts';
import { normaliseEmail } from '../domain/signIn/email.ts';
import { isoTimeOrNull } from '../domain/time/isoTime.ts';
import type { Command } from './command.ts';
import { UsageError } from './flags.ts';

/** Accounts per page: maximum and default. */
const maxPage = 1_000;
const defaultPage = 100;

type ListedAccount = Pick<
  Account,
  'id' | 'externalId' | 'email' | 'isVerified' | 'status' | 'group' | 'createdAt'
>;

/** Commands that find and list accounts, keys and generations. */
export const lookUpCommands: Readonly<Record<string, Command>> = {
  'account find': {
    usage: '--email E | --external-id X',
    summary: 'Finds an account by email address or by your own customer ID.',
    flags: { email: 'text', 'external-id': 'text' },
    isReadOnly: true,
    prepare(flags) {
      if (flags.has('email') === flags.has('external-id')) {
        throw new UsageError('Use either --email or --external-id, not both.');
      }
      const externalId = flags.textOrNull('external-id');
      const email = externalId === null ? normaliseEmail(flags.text('email')) : null;
      if (externalId === null && email === null) {
        throw new UsageError('--email must be an email address.');
      }
      return async ({ database: { accounts } }) => {
        const account =
          externalId === null
            ? await accounts.findByEmail(email ?? '')
            : await accounts.findByExternalId(externalId);
        if (!account) throw new Refusal('account_not_found');
        return printedAccount(account);
      };
    },
  },
  'account list': {
    usage: '[--after A] [--limit N]',
    summary: 'Lists customer accounts, oldest first; --after A lists those after account A.',
    flags: { after: 'text', limit: 'text' },
    isReadOnly: true,
    prepare(flags) {
      const after = flags.textOrNull('after') ?? '';
      const limit = flags.wholeNumber('limit', 1, maxPage) ?? defaultPage;
      return async ({ accountList }) => {
        const accounts = await accountList.listPage(after, limit + 1);
        const page = accounts.slice(0, limit);
        return {
          accounts: page.map(printedAccount),
          next: accounts.length > limit ? (page.at(-1)?.id ?? null) : null,
        };
      };
    },
  },
  'key list': {
    usage: '--account A',
    summary:
      "Lists an account's API keys and their input hosts, but never the secret keys themselves.",
    flags: { account: 'text' },
    isReadOnly: true,
    prepare(flags) {
      const accountId = flags.text('account');
      return async (deps) => {
        const { requireAccount } = await import('../application/accounts/accounts.ts');
        const { presentKey } = await import('../application/keys/presentKey.ts');
        const { keys } = await requireAccount(deps.database, accountId);
        const nowMs = deps.clock.now();
        return {
          account_id: accountId,
          keys: keys.map((key) => ({ key_id: key.id, ...presentKey(key, nowMs) })),
        };
      };
    },
  },
  'generation show': {
    usage: '--generation G',
    summary: "Shows a generation's status, credits, attempts and timeline, but never its prompt.",
    flags: { generation: 'text' },
    isReadOnly: true,
    prepare(flags) {
      const id = flags.text('generation');
      return async ({ database }) => {
        const generation = requireGeneration(await database.generations.find(id));
        return {
          generation_id: generation.id,
          account_id: generation.accountId,
          channel: generation.channel,
          key_id: generation.keyId,
          request_id: generation.requestId,
          type: generation.type,
          model: generation.model,
          status: generation.status,
          step: generation.step,
          cost_credits: generation.costCredits,
          refunded_credits: generation.refundedCredits,
          failure: generation.failure?.code ?? null,
          created_at: isoTimeOrNull(generation.createdAt),
          started_at: isoTimeOrNull(generation.startedAt),
          ended_at: isoTimeOrNull(generation.endedAt),
          deadline_at: isoTimeOrNull(generation.deadlineAt),
          attempts: generation.attempts.map((attempt) => ({
            number: attempt.number,
            provider: attempt.provider,
            model: attempt.model,
            outcome: attempt.outcome,
            refused_for: attempt.refusedFor ?? null,
            note: attempt.note,
            started_at: isoTimeOrNull(attempt.startedAt),
          })),
          timeline: generation.timeline.map(({ at, what }) => ({ at: isoTimeOrNull(at), what })),
        };
      };
    },
  },
};

function printedAccount(account: ListedAccount): Record<string, unknown> {
  return {
    account_id: account.id,
    external_id: account.externalId,
    email: account.email,
    email_verified: account.isVerified,
    status: account.status,
    group: account.group,
    created_at: isoTimeOrNull(account.createdAt),
  };
}
