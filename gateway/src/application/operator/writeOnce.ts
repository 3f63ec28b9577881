import { operatorResponsesKeptMs } from '../../domain/accounts/operatorKey.ts';
import { fingerprintOf, parseIdempotencyKey } from '../../domain/generations/idempotency.ts';
import { Refusal } from '../../domain/refusal.ts';
import { type RecordedDecision, recordingDatabase } from '../accounts/recordingDatabase.ts';
import type { App } from '../app.ts';
import type { Database } from '../ports/database.ts';
import type { OperatorRecords } from '../ports/operator.ts';
import { operatorEntry } from './auditEntries.ts';
import type { OperatorResponse, OperatorWriteCall } from './operatorCall.ts';

/** Makes the records of a response about an account. */
export type RecordResponse = (accountId: string, response: object) => OperatorRecords;

/** One write of the operator API. */
export type OperatorWrite = ResponseOfWrite & (RunWrite | RunWriteIfNeeded);

interface ResponseOfWrite {
  /** Status of the response. */
  status: number;
  reason?: string | undefined;
  /** Makes the response from the decision that does the work; null for the use case's other decisions. */
  present: (decided: RecordedDecision) => object | null;
  /** Fields of the first response that are stored nowhere. */
  once?: () => object;
}

interface RunWrite {
  /** Calls a use case with a database that adds the response and its audit entry to the transaction. */
  run: (database: Database, record: RecordResponse) => Promise<unknown>;
}

interface RunWriteIfNeeded {
  /** Like `run`. @returns The response if it required no write; else undefined. */
  runIfNeeded: (database: Database, record: RecordResponse) => Promise<object | undefined>;
}

/**
 * Performs a write once per Idempotency-Key: the response and the audit entry are stored in the transaction that does
 * the work, so either all of it is stored or none. A refused write stores nothing.
 * @throws Refusal; trouble with the database, after which the same call reveals the outcome.
 */
export async function writeOnce(
  deps: Pick<App, 'database' | 'clock' | 'random' | 'operatorRequests'>,
  call: OperatorWriteCall,
  write: OperatorWrite,
): Promise<OperatorResponse> {
  const scope = scopeOf(call);
  const fingerprint = fingerprintOf(call.body);
  const firstBody = (body: string) =>
    write.once ? JSON.stringify({ ...(JSON.parse(body) as object), ...write.once() }) : body;
  const findResponse = async (): Promise<OperatorResponse | null> => {
    const firstResponse = await deps.operatorRequests.find(scope);
    if (firstResponse === null) return null;
    if (firstResponse.fingerprint !== fingerprint) throw new Refusal('idempotency_key_reused');
    const { status, body } = firstResponse;
    if (firstResponse.id !== call.requestId) return { status, body, wasReplayed: true };
    return { status, body: firstBody(body), wasReplayed: false };
  };
  const before = await findResponse();
  if (before) return before;

  let writtenBody = '';
  const record: RecordResponse = (accountId, response) => {
    writtenBody = JSON.stringify(response);
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
        expiresAt: at + operatorResponsesKeptMs,
      },
      audit: operatorEntry(deps, call, {
        targets: targetsOf(accountId, response),
        reason: write.reason ?? '',
      }),
    };
  };
  const { database, isRecorded } = recordingDatabase(deps.database, (decided) => {
    const response = write.present(decided);
    return response === null ? null : record(decided.after.id, response);
  });
  try {
    let instead: object | undefined;
    if ('run' in write) await write.run(database, record);
    else instead = await write.runIfNeeded(database, record);
    const body = instead === undefined ? firstBody(writtenBody) : JSON.stringify(instead);
    return { status: write.status, body, wasReplayed: false };
  } catch (error) {
    // Nothing is left to do after the response is written, so this is a separate failure and no success.
    if (isRecorded()) throw error;
    // The same call may have been written in the meantime, by another process or, unnoticed, by this one.
    const response = await findResponse().catch((trouble: unknown) => {
      if (deps.database.isTrouble(trouble)) return null;
      throw trouble;
    });
    if (response) return response;
    throw error;
  }
}

/** The scope of a call's Idempotency-Key. @throws Refusal `idempotency_key_missing`, `idempotency_key_invalid`. */
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

/** The account and the object that the response describes. */
function targetsOf(accountId: string, response: object): string[] {
  const id = 'id' in response && typeof response.id === 'string' ? [response.id] : [];
  return [...new Set([accountId, ...id])];
}
