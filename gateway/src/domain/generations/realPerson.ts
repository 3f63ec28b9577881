import type {
  ComplianceBody,
  CreateVideoBody,
  InputRole,
  InputType,
  Problem,
  VideoModel,
} from '@framegate/contract';
import { Refusal } from '../refusal.ts';
import { csvLine, escapeFormula } from '../text/text.ts';
import { isoTime } from '../time/isoTime.ts';
import type { GenerationOrder } from './order.ts';
import type { GenerationMoments } from './work.ts';

/*
 * Checks of real-person mode, in the order of the API document:
 * 1. 400 invalid_request: wrong shapes (the schema), then `compliance` without the mode or a mode that the model lacks
 * (`resolveVideoRequest`, with every other problem of the body);
 * 2. 422 real_person_not_allowed: a model or mode outside the permitted set;
 * 3. 422 consent_required: a missing or false confirmation, or a missing reference. `requireRealPersonAllowed` makes
 * checks 2 and 3 once the input hosts are approved. `rights_confirmed: false` and a missing reference are therefore
 * valid shapes that end in 3.
 */

/** A permitted use of real-person mode, with the caller's own reference to the consent for the audit. */
export interface RealPersonUse {
  consentReference: string;
}

/** Refuses `compliance` without real-person mode. */
export function complianceProblems(body: CreateVideoBody): Problem[] {
  if (body.compliance === undefined || isAsked(body)) return [];
  const message = 'Send compliance only together with parameters.real_person_mode: true.';
  return [{ param: 'compliance', code: 'not_allowed', message }];
}

/**
 * Checks the real-person mode of a body that passed `resolveVideoRequest`.
 * @returns Undefined if the mode is not requested.
 * @throws Refusal `real_person_not_allowed` or `consent_required`.
 */
export function requireRealPersonAllowed(
  model: VideoModel,
  body: CreateVideoBody,
): RealPersonUse | undefined {
  if (!isAsked(body)) return undefined;
  if (!model.realPersonModes.includes(body.mode)) throw notAllowedRefusal(model);
  const { rights_confirmed: confirmed, consent_reference: reference } = body.compliance ?? {};
  if (confirmed !== true || reference === undefined) throw consentRefusal(body.compliance);
  return { consentReference: reference };
}

function isAsked(body: CreateVideoBody): boolean {
  return body.parameters?.real_person_mode === true;
}

function notAllowedRefusal(model: VideoModel): Refusal {
  if (model.realPersonModes.length === 0) {
    const message = `Real-person mode is not available for ${model.id}. GET /models lists real_person_modes for each model.`;
    return new Refusal('real_person_not_allowed', { param: 'model', message });
  }
  const message = `Real-person mode of ${model.id} is only available for ${model.realPersonModes.join(' and ')}.`;
  return new Refusal('real_person_not_allowed', { param: 'mode', message });
}

function consentRefusal(compliance: ComplianceBody = {}): Refusal {
  const details: Problem[] = [];
  if (compliance.rights_confirmed !== true) {
    const message = 'Must be true in real-person mode: confirm that you hold the rights.';
    details.push({ param: 'compliance.rights_confirmed', code: 'required', message });
  }
  if (compliance.consent_reference === undefined) {
    const message = 'Required in real-person mode: your own reference for the consent.';
    details.push({ param: 'compliance.consent_reference', code: 'required', message });
  }
  const param = details[0]?.param ?? 'compliance';
  return new Refusal('consent_required', { param, details });
}

/**
 * The audit record of an accepted use of real-person mode, stored separately from its generation and kept longer. Times
 * in ms since the epoch. Never leaves the operator's systems.
 */
export interface RealPersonAudit {
  /** The generation's id. */
  id: string;
  at: number;
  accountId: string;
  /** Null for a use on the account's own site. */
  keyId: string | null;
  requestId: string;
  model: string;
  mode: string;
  /** Version of the operator's rules at the time. */
  policyVersion: string;
  /** The customer's own reference to the consent. The rights were confirmed; other requests are refused. */
  consentReference: string;
  callerAddress: string;
  /** The inputs in order; SHA-256 in hex once they are copied, null before. */
  inputs: { type: InputType; role: InputRole; sha256: string | null }[];
  /** When the record will be removed. */
  keptUntil: number;
}

/** The audit record of a new generation; undefined if it does not use the mode. */
export function realPersonAuditOf(
  generation: GenerationOrder & Pick<GenerationMoments, 'createdAt'>,
  keptMs: number,
): RealPersonAudit | undefined {
  const { id, accountId, keyId, requestId, model, mode, realPerson, createdAt } = generation;
  if (!realPerson) return undefined;
  return {
    id,
    at: createdAt,
    accountId,
    keyId,
    requestId,
    model,
    mode: mode ?? '',
    ...realPerson,
    inputs: generation.inputs.map(({ type, role }) => ({ type, role, sha256: null })),
    keptUntil: createdAt + keptMs,
  };
}

const columns = [
  'time',
  'generation_id',
  'account_id',
  'key_id',
  'request_id',
  'model',
  'mode',
  'policy_version',
  'rights_confirmed',
  'consent_reference',
  'caller_address',
  'inputs',
] as const;

/** The header of the CSV (RFC 4180), with its line end. */
export const realPersonCsvHeading = csvLine(columns);

/** A record as a line of CSV, with its line end. */
export function realPersonCsvLine(audit: RealPersonAudit): string {
  const cells: Record<(typeof columns)[number], string> = {
    time: isoTime(audit.at),
    generation_id: audit.id,
    account_id: audit.accountId,
    key_id: audit.keyId ?? '',
    request_id: audit.requestId,
    model: audit.model,
    mode: audit.mode,
    policy_version: audit.policyVersion,
    rights_confirmed: 'true',
    consent_reference: audit.consentReference,
    caller_address: audit.callerAddress,
    inputs: audit.inputs.map(({ role, sha256 }) => `${role}=${sha256 ?? 'not copied'}`).join('; '),
  };
  return csvLine(columns.map((name) => escapeFormula(cells[name])));
}
