import { operatorAnswersKeptMs } from '../../domain/accounts/operatorKey.ts';
import { fingerprintOf, parseIdempotencyKey } from '../../domain/generations/idempotency.ts';
import { Refusal } from '../../domain/refusal.ts';
import { type RecordedDecision, recordingDatabase } from '../accounts/recordingDatabase.ts';
import type { App } from '../app.ts';
import type { Database } from '../ports/database.ts';
import type { OperatorRecords } from '../ports/operator.ts';
import { operatorEntry } from './auditEntries.ts';
import type { OperatorAnswer, OperatorWriteCall } from './operatorCall.ts';

/** Makes the records of an answer about an account. */
export type RecordAnswer = (accountId: string, answer: object) => OperatorRecords;

/** One write of the operator API. */
export type OperatorWrite = AnswerOfWrite & (RunWrite | RunWriteIfNeeded);

interface AnswerOfWrite {
  /** Status of the answer. */
  status: number;
  reason?: string | undefined;
  /** Makes the answer from the decision that does the work; null for the use case's other decisions. */
  present: (decided: RecordedDecision) => object | null;
  /** Fields of the first answer that are stored nowhere. */
  once?: () => object;
}

interface RunWrite {
  /** Calls a use case with a database that adds the answer and its audit entry to the transaction. */
  run: (database: Database, record: RecordAnswer) => Promise<unknown>;
}

interface RunWriteIfNeeded {
  /** Like `run`. @returns The answer if it required no write; else undefined. */
  runIfNeeded: (database: Database, record: RecordAnswer) => Promise<object | undefined>;
}

/**
 * Performs a write once per Idempotency-Key: the answer and the audit entry are stored in the transaction that does the
 * work, so all of it is stored or nothing. A refused write stores nothing.
 * @throws Refusal; trouble with the database, after which the same call reveals the outcome.
 */
export async function writeOnce(
  deps: Pick<App, 'database' | 'clock' | 'random' | 'operatorRequests'>,
  call: OperatorWriteCall,
  write: OperatorWrite,
): Promise<OperatorAnswer> {
  const scope = scopeOf(call);
  const fingerprint = fingerprintOf(call.body);
  const firstBody = (body: string) =>
    write.once ? JSON.stringify({ ...(JSON.parse(body) as object), ...write.once() }) : body;
  const findAnswer = async (): Promise<OperatorAnswer | null> => {
    const firstAnswer = await deps.operatorRequests.find(scope);
    if (firstAnswer === null) return null;
    if (firstAnswer.fingerprint !== fingerprint) throw new Refusal('idempotency_key_reused');
    const { status, body } = firstAnswer;
    if (firstAnswer.id !== call.requestId) return { status, body, replayed: true };
    return { status, body: firstBody(body), replayed: false };
  };
  const before = await findAnswer();
  if (before) return before;

  let writtenBody = '';
  const record: RecordAnswer = (accountId, answer) => {
    writtenBody = JSON.stringify(answer);
    const at = deps.clock.now();
    return {
      request: {
        id: call.requestId,
        scope,
        fingerprint,
        keyId: call.key.id,
        accountId,
        status: write.status,
        body: writtenBody,
        at,
        expiresAt: at + operatorAnswersKeptMs,
      },
      audit: operatorEntry(deps, call, {
        targets: targetsOf(accountId, answer),
        reason: write.reason ?? '',
      }),
    };
  };
  const { database, isRecorded } = recordingDatabase(deps.database, (decided) => {
    const answer = write.present(decided);
    return answer === null ? null : record(decided.after.id, answer);
  });
  try {
    let instead: object | undefined;
    if ('run' in write) await write.run(database, record);
    else instead = await write.runIfNeeded(database, record);
    const body = instead === undefined ? firstBody(writtenBody) : JSON.stringify(instead);
    return { status: write.status, body, replayed: false };
  } catch (error) {
    // Nothing is left to do after the answer is written, so this is trouble of its own and no success.
    if (isRecorded()) throw error;
    // The same call may have been written meanwhile, by another process or, unnoticed, by this one.
    const answer = await findAnswer().catch((trouble: unknown) => {
      if (deps.database.isTrouble(trouble)) return null;
      throw trouble;
    });
    if (answer) return answer;
    throw error;
  }
}

/** The scope of a call's Idempotency-Key. @throws Refusal `idempotency_key_missing`, `idempotency_key_invalid` */
export function scopeOf({
  target,
  idempotencyKey,
}: Pick<OperatorWriteCall, 'target' | 'idempotencyKey'>): string {
  return `${target} ${requireKey(idempotencyKey)}`;
}

function requireKey(header: string | undefined): string {
  const parsed = parseIdempotencyKey(header);
  if (parsed.ok) return parsed.key;
  throw new Refusal(`idempotency_key_${parsed.problem}`);
}

/** The account and the object that the answer describes. */
function targetsOf(accountId: string, answer: object): string[] {
  const id = 'id' in answer && typeof answer.id === 'string' ? [answer.id] : [];
  return [...new Set([accountId, ...id])];
}
