import type { ComplianceBody, CreateVideoBody, Problem, VideoModel } from '@framegate/contract';
import { Refusal } from './refusal.ts';

/*
 * Real-person mode, in the order of the API document:
 * 1. 400 invalid_request: wrong shapes (the schema), then `compliance` without the mode or a mode that
 *    the model lacks (`resolveVideoRequest`, with every other problem of the body);
 * 2. 422 real_person_not_allowed: a model or mode outside the permitted set;
 * 3. 422 consent_required: a missing or false confirmation, or a missing reference.
 * 2 and 3 are `requireRealPersonAllowed`, called once the input hosts are approved. So
 * `rights_confirmed: false` and a missing reference are valid shapes that end in 3.
 */

/** A permitted use of real-person mode: the caller's own reference to the consent, for the audit. */
export interface RealPersonUse {
  consentReference: string;
}

/** `compliance` is only for real-person mode. */
export function complianceProblems(body: CreateVideoBody): Problem[] {
  if (body.compliance === undefined || isAsked(body)) return [];
  const message = 'Send compliance only together with parameters.real_person_mode: true.';
  return [{ param: 'compliance', code: 'not_allowed', message }];
}

/**
 * Checks the real-person mode of a body that passed `resolveVideoRequest`.
 * @returns undefined when the mode is not asked for.
 * @throws Refusal `real_person_not_allowed` or `consent_required`.
 */
export function requireRealPersonAllowed(
  model: VideoModel,
  body: CreateVideoBody,
): RealPersonUse | undefined {
  if (!isAsked(body)) return undefined;
  if (!model.realPersonModes.includes(body.mode)) throw notAllowed(model);
  const { rights_confirmed: confirmed, consent_reference: reference } = body.compliance ?? {};
  if (confirmed !== true || reference === undefined) throw consentRequired(body.compliance);
  return { consentReference: reference };
}

function isAsked(body: CreateVideoBody): boolean {
  return body.parameters?.real_person_mode === true;
}

function notAllowed(model: VideoModel): Refusal {
  if (model.realPersonModes.length === 0) {
    const message = `Real-person mode is not available for ${model.id}. GET /models lists real_person_modes for each model.`;
    return new Refusal('real_person_not_allowed', { param: 'model', message });
  }
  const message = `Real-person mode of ${model.id} is available for ${model.realPersonModes.join(' and ')} only.`;
  return new Refusal('real_person_not_allowed', { param: 'mode', message });
}

function consentRequired(compliance: ComplianceBody = {}): Refusal {
  const details: Problem[] = [];
  if (compliance.rights_confirmed !== true) {
    const message = 'Must be true in real-person mode: confirm that you hold the rights.';
    details.push({ param: 'compliance.rights_confirmed', code: 'required', message });
  }
  if (compliance.consent_reference === undefined) {
    const message = 'Required in real-person mode: your own reference to the consent.';
    details.push({ param: 'compliance.consent_reference', code: 'required', message });
  }
  const param = details[0]?.param ?? 'compliance';
  return new Refusal('consent_required', { param, details });
}
