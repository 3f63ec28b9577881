import type { LotMovement } from '../../domain/credits.ts';
import type { Generation } from '../../domain/generation.ts';
import type { TraceContext } from '../../domain/traceContext.ts';
import type { CheckedRequest } from './checkRequest.ts';

/** Version of the real-person rules; it is kept with each use of the mode. */
const policyVersion = '2026-11-01';

/** Where a generation comes from. */
export interface Origin {
  id: string;
  accountId: string;
  channel: 'api' | 'pc';
  keyId: string | null;
  requestId: string;
  callerAddress: string;
  trace?: TraceContext;
}

/** A new generation: charged, and with a place to run or to wait. Pure. */
export function buildGeneration(
  origin: Origin,
  request: CheckedRequest,
  admission: { runs: boolean; movements: LotMovement[] },
  now: number,
  waitingDeadlineMs: number,
): Generation {
  const deadlineAt = now + waitingDeadlineMs;
  const { callerAddress, ...owner } = origin;
  return {
    ...owner,
    type: request.type,
    model: request.model,
    mode: request.mode,
    prompt: request.prompt,
    inputs: request.inputs,
    parameters: request.parameters,
    realPerson:
      request.consentReference === null
        ? null
        : { consentReference: request.consentReference, policyVersion, callerAddress },
    costCredits: request.costCredits,
    charge: admission.movements,
    status: 'queued',
    step: admission.runs ? 'ready' : 'waiting',
    createdAt: now,
    startedAt: null,
    endedAt: null,
    deadlineAt,
    dueAt: admission.runs ? now : deadlineAt,
    leaseUntil: 0,
    epoch: 0,
    storedInputs: null,
    attempts: [],
    outputs: [],
    outputsDeleteAt: null,
    outputsDeletedAt: null,
    tidyAt: null,
    failure: null,
    replay: null,
    timeline: [{ at: now, what: admission.runs ? 'accepted' : 'accepted, waits for a place' }],
  };
}
