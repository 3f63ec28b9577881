import { type Account, isLive } from '../domain/accounts/account.ts';
import { Refusal, requireGeneration } from '../domain/refusal.ts';
import { normaliseEmail } from '../domain/signIn/email.ts';
import { isoTimeOrNull } from '../domain/time/isoTime.ts';
import { type Command, UsageError } from './command.ts';

/** Accounts per page: maximum and default. */
const [maxPage, defaultPage] = [1_000, 100];

type Shown = Pick<
  Account,
  'id' | 'externalId' | 'email' | 'verified' | 'status' | 'group' | 'createdAt'
>;

/** Commands that find and list accounts, keys and generations. */
export const lookUpCommands: Readonly<Record<string, Command>> = {
  'account find': {
    usage: '--email E | --external-id X',
    summary: 'Finds an account by email address or by your own customer ID.',
    flags: { email: 'text', 'external-id': 'text' },
    readsOnly: true,
    read(flags) {
      if (flags.has('email') === flags.has('external-id')) {
        throw new UsageError('Use either --email or --external-id, not both.');
      }
      const externalId = flags.textOrNull('external-id');
      const email = externalId === null ? normaliseEmail(flags.text('email')) : null;
      if (externalId === null && email === null) {
        throw new UsageError('--email must be an email address.');
      }
      return async ({ database: { accounts } }) => {
        const found =
          externalId === null
            ? await accounts.findByEmail(email ?? '')
            : await accounts.findByExternalId(externalId);
        if (!found) throw new Refusal('account_not_found');
        return printedAccount(found);
      };
    },
  },
  'account list': {
    usage: '[--after A] [--limit N]',
    summary: 'Lists customer accounts, oldest first; --after A lists those after account A.',
    flags: { after: 'text', limit: 'text' },
    readsOnly: true,
    read(flags) {
      const after = flags.textOrNull('after') ?? '';
      const limit = flags.whole('limit', 1, maxPage) ?? defaultPage;
      return async ({ accountList }) => {
        const found = await accountList.page(after, limit + 1);
        const page = found.slice(0, limit);
        return {
          accounts: page.map(printedAccount),
          next: found.length > limit ? (page.at(-1)?.id ?? null) : null,
        };
      };
    },
  },
  'key list': {
    usage: '--account A',
    summary:
      "Lists an account's API keys and their input hosts, but never the secret keys themselves.",
    flags: { account: 'text' },
    readsOnly: true,
    read(flags) {
      const accountId = flags.text('account');
      return async (deps) => {
        const { requireAccount } = await import('../application/accounts/accounts.ts');
        const { keys } = await requireAccount(deps.database, accountId);
        const nowMs = deps.clock.now();
        return {
          account_id: accountId,
          keys: keys.map((key) => ({
            key_id: key.id,
            name: key.name,
            starts: key.prefix,
            ends: key.lastFour,
            works: isLive(key, nowMs),
            models: key.models,
            hosts: key.hosts.map(({ rule, state }) => ({ host: rule, state })),
            daily_credits: key.dailyCredits ?? null,
            monthly_credits: key.monthlyCredits ?? null,
            made_by: key.madeBy?.id ?? null,
            created_at: isoTimeOrNull(key.createdAt),
            revoked_at: isoTimeOrNull(key.revokedAt),
          })),
        };
      };
    },
  },
  'generation show': {
    usage: '--generation G',
    summary: "Shows a generation's status, credits, attempts and timeline, but never its prompt.",
    flags: { generation: 'text' },
    readsOnly: true,
    read(flags) {
      const id = flags.text('generation');
      return async ({ database }) => {
        const found = requireGeneration(await database.generations.find(id));
        return {
          generation_id: found.id,
          account_id: found.accountId,
          channel: found.channel,
          key_id: found.keyId,
          request_id: found.requestId,
          type: found.type,
          model: found.model,
          status: found.status,
          step: found.step,
          cost_credits: found.costCredits,
          refunded_credits: found.refundedCredits,
          failure: found.failure?.code ?? null,
          created_at: isoTimeOrNull(found.createdAt),
          started_at: isoTimeOrNull(found.startedAt),
          ended_at: isoTimeOrNull(found.endedAt),
          deadline_at: isoTimeOrNull(found.deadlineAt),
          attempts: found.attempts.map((attempt) => ({
            number: attempt.number,
            provider: attempt.provider,
            model: attempt.model,
            outcome: attempt.outcome,
            refused_for: attempt.refusedFor ?? null,
            note: attempt.note,
            started_at: isoTimeOrNull(attempt.startedAt),
          })),
          timeline: found.timeline.map(({ at, what }) => ({ at: isoTimeOrNull(at), what })),
        };
      };
    },
  },
};

function printedAccount(account: Shown): Record<string, unknown> {
  return {
    account_id: account.id,
    external_id: account.externalId,
    email: account.email,
    email_verified: account.verified,
    status: account.status,
    group: account.group,
    created_at: isoTimeOrNull(account.createdAt),
  };
}
