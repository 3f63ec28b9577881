import { type ErrorCode, errorCodes } from '../errorCodes.ts';
import type { ErrorBody, ErrorDetail } from '../generated/wire.ts';

/** Additions of some errors to their catalogue entries. */
const fieldsByCode: Partial<Record<ErrorCode, Partial<ErrorBody['error']>>> = {
  invalid_request: {
    message:
      'parameters.duration_seconds: alpha-2.0-pro takes 4 to 15 seconds. (1 more in details)',
    param: 'parameters.duration_seconds',
    details: [
      problem(
        'parameters.duration_seconds',
        'out_of_range',
        'alpha-2.0-pro takes 4 to 15 seconds.',
      ),
      problem('inputs', 'required', 'image-to-video needs one image with the role first_frame.'),
    ],
  },
  input_url_invalid: { param: 'inputs[0].url' },
  input_host_not_approved: { param: 'inputs[0].url' },
  model_not_found: { param: 'model' },
  real_person_not_allowed: { param: 'model' },
  consent_required: {
    param: 'compliance.consent_reference',
    details: [
      problem(
        'compliance.consent_reference',
        'required',
        'Required in real-person mode: your own reference for the consent.',
      ),
    ],
  },
  insufficient_credits: { credits: { required: 70, available: 12 } },
};

/** Error body with this code. */
export function exampleError(code: ErrorCode): ErrorBody {
  const { type, message, retryable } = errorCodes[code];
  return {
    error: {
      type,
      code,
      message,
      param: null,
      request_id: 'req_01kagw2m5ejz4v8h6t0x9c3bqd',
      retryable,
      details: [],
      ...fieldsByCode[code],
    },
  };
}

function problem(param: string, code: string, message: string): ErrorDetail {
  return { param, code, message };
}
