import type { Account } from '../../domain/account.ts';
import type { LedgerEntry } from '../../domain/credits.ts';
import { fingerprintOf, parseIdempotencyKey } from '../../domain/idempotency.ts';
import { operatorKeptMs } from '../../domain/operatorKey.ts';
import { PlainRefusal, Refusal } from '../../domain/refusal.ts';
import { AccountTaken } from '../accounts/accounts.ts';
import { ReferenceTaken } from '../accounts/grantCredits.ts';
import type { Database } from '../ports/database.ts';
import type { OperatorRecords } from '../ports/operator.ts';
import { TooFewCredits } from '../staff/adjustCredits.ts';
import type { OperatorAnswer, OperatorDeps, OperatorWriteCall } from './operatorDeps.ts';

/** One write of the operator API. */
export interface OperatorWrite {
  /** Status of its answer. */
  status: number;
  reason?: string | undefined;
  /** Makes the answer from the account, and the ledger entry if there is one, as they are written. */
  present: (account: Account, entry: LedgerEntry | undefined) => object;
  /**
   * Calls a use case with a database that adds the answer and its audit entry to the transaction.
   * @returns An answer, if nothing had to be written for it; else undefined.
   */
  run: (database: Database) => Promise<object | undefined>;
}

/**
 * Performs a write once per Idempotency-Key: the answer and the audit entry are stored in the transaction that does
 * the work, so that either all of it is there or nothing. A refused write stores nothing.
 * @throws Refusal; trouble with the database, after which the same call shows the outcome.
 */
export async function writeOnce(
  deps: OperatorDeps,
  call: OperatorWriteCall,
  write: OperatorWrite,
): Promise<OperatorAnswer> {
  const scope = `${call.target} ${requireKey(call.idempotencyKey)}`;
  const fingerprint = fingerprintOf(call.body);
  const findAnswer = async (): Promise<OperatorAnswer | null> => {
    const known = await deps.requests.find(scope);
    if (known === null) return null;
    if (known.fingerprint !== fingerprint) throw new Refusal('idempotency_key_reused');
    return { status: known.status, body: known.body, replayed: known.id !== call.requestId };
  };
  const before = await findAnswer();
  if (before) return before;

  let written = '';
  const record = (account: Account, entry?: LedgerEntry): OperatorRecords => {
    written = JSON.stringify(write.present(account, entry));
    const at = deps.clock.now();
    return {
      request: {
        id: call.requestId,
        scope,
        fingerprint,
        keyId: call.key.id,
        status: write.status,
        body: written,
        at,
        expiresAt: at + operatorKeptMs,
      },
      audit: auditOf(deps, call, { at, accountId: account.id, reason: write.reason ?? '' }),
    };
  };
  try {
    const instead = await write.run(recording(deps.database, record));
    const body = instead === undefined ? written : JSON.stringify(instead);
    return { status: write.status, body, replayed: false };
  } catch (error) {
    // The same call may have been written meanwhile: by another process, or by this one without its knowledge.
    const answer = await findAnswer().catch((trouble: unknown) => {
      if (deps.database.isTrouble(trouble)) return null;
      throw trouble;
    });
    if (answer) return answer;
    throw refusalOf(error);
  }
}

function requireKey(header: string | undefined): string {
  const parsed = parseIdempotencyKey(header);
  if (parsed.ok) return parsed.key;
  throw new Refusal(`idempotency_key_${parsed.problem}`);
}

/** A database whose changes of accounts are written with the records of this write. */
function recording(
  database: Database,
  record: (account: Account, entry?: LedgerEntry) => OperatorRecords,
): Database {
  return {
    ...database,
    changeAccount: (accountId, decide, withinMs) =>
      database.changeAccount(
        accountId,
        async (account) => {
          const decision = await decide(account);
          return { ...decision, records: record(decision.after, decision.entry) };
        },
        withinMs,
      ),
    accounts: {
      ...database.accounts,
      insert: (account) => database.accounts.insert(account, record(account)),
    },
  };
}

function auditOf(
  { random }: Pick<OperatorDeps, 'random'>,
  { operation, key, requestId, address }: OperatorWriteCall,
  { at, accountId, reason }: { at: number; accountId: string; reason: string },
): OperatorRecords['audit'] {
  return {
    id: random.newId('aud'),
    at,
    accountId: key.id,
    email: `operator key ${key.name}`,
    role: 'operator',
    action: `api ${operation}`,
    targets: [accountId],
    reason,
    outcome: 'done',
    result: '',
    requestId,
    address,
    formId: null,
  };
}

/** The refusals of use cases, which are made for people, with the codes of the operator API. */
function refusalOf(error: unknown): unknown {
  if (!(error instanceof PlainRefusal)) return error;
  const { message } = error;
  if (error instanceof AccountTaken) {
    return new Refusal(error.by === 'email' ? 'email_taken' : 'external_id_taken', { message });
  }
  if (error instanceof ReferenceTaken) return new Refusal('reference_reused', { message });
  if (error instanceof TooFewCredits) return new Refusal('insufficient_credits', { message });
  return new Refusal('invalid_request', { message });
}
