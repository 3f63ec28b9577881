import { type Dialect, isPlainId } from '../dialect.ts';
import { fieldsOf, listOf, parseJson } from '../unknownJson.ts';

const queue = 'https://queue.fal.run';

/** Errors of the queue itself, returned as the result of an ended job (fal: Request Error Types). */
const endedInQueue =
  /^(request_timeout|startup_timeout|runner_(scheduling_failure|connection_(timeout|refused|error)|disconnected|incomplete_response|server_error)|client_cancelled)$/;

/**
 * `@ai-sdk/fal` 3. Each model has its own parameter names, listed in its row. The package passes on provider options,
 * but silently drops resolution, last frame, references and sound of videos if they are given as its common options.
 * Cancelling removes a queued job, and tells a running one to stop.
 */
export const fal: Partial<Dialect> = {
  submitUrl: (url, model) => (url.startsWith(`${queue}/`) ? endpointOf(model) : url),
  operationOf: (id, model) => {
    const endpoint = endpointOf(model);
    // Results are requested from the application, without the rest of an endpoint's path (fal: Queue).
    const application = endpoint.split('/').slice(0, 5).join('/');
    return isPlainId(id)
      ? { responseUrl: `${application}/requests/${id}`, submitUrl: endpoint }
      : null;
  },
  // The package requests only the result. A failed job is COMPLETED as well (fal: Queue, Status types).
  resultStatus: {
    isTooEarly: (response) => fieldsOf(response)['detail'] === 'Request is still in progress',
    urlOf: (resultUrl) => `${resultUrl}/status`,
    isFinished: (response) => fieldsOf(response)['status'] === 'COMPLETED',
  },
  // "Server errors (HTTP 500+) are never charged"; 422 may be (fal: Documentation, FAQ, read 2026-11-22).
  failureIsFree: ({ status }) => (status ?? 0) >= 500,
  // A job's failure is the response to the poll itself, in one of two documented forms.
  isVerdict: ({ status, body }) => {
    const { error_type: ended, detail } = fieldsOf(parseJson(body ?? ''));
    if (status === 429) return false;
    if (typeof ended === 'string') return endedInQueue.test(ended);
    return listOf(detail).some((each) => 'type' in fieldsOf(each));
  },
};

/**
 * The URL for ordering a video. The package prefixes every id with `fal-ai/`, but endpoints of fal's partners
 * (`bytedance/…`, `xai/…`) have no prefix; the package's own short names (`luma-ray-2`) have no owner.
 */
function endpointOf(model: string): string {
  const name = model.replace(/^(fal-ai|fal)\//, '');
  const isPartners = name === model && model.includes('/');
  return isPartners ? `${queue}/${model}` : `${queue}/fal-ai/${name}`;
}
