import { isPlainId, standardDialect, textIn, type Dialect } from '../dialect.ts';
import { arkSupport } from '../support/arkSupport.ts';
import { arkName, taskUrl } from './modelArk.ts';

/** The errors of ModelArk are those of its Error Codes page. */
export const arkDialect: Dialect = {
  ...standardDialect,
  name: arkName,
  // Its entry names it: `baseURL`.
  apiHosts: [],
  defaultRules: [
    {
      match: /Input\w*(SensitiveContentDetected|RiskDetection)\.PrivacyInformation/i,
      code: 'real_person_rejected',
    },
    { match: /Output\w*(SensitiveContentDetected|RiskDetection)/i, code: 'output_rejected' },
    { match: /(SensitiveContentDetected|Input\w*RiskDetection)/i, code: 'input_rejected' },
  ],
  // Documented as 429; a proxy may say it otherwise.
  declaredRefusal:
    /\b(ServerOverloaded|RateLimitExceeded|RequestBurstTooFast|QuotaExceeded|SetLimitExceeded)\b/,
  operationOf: (taskId) => (isPlainId(taskId) ? { taskId } : null),
  // Only while it is queued; a running one is refused (ModelArk: Cancel or delete a video generation task).
  cancelRequest(operation, { apiKey, baseURL }) {
    const id = textIn(operation, 'taskId');
    const authorization = `Bearer ${apiKey}`;
    return id === null ? null : { method: 'DELETE', url: taskUrl(baseURL, id), authorization };
  },
  table: arkSupport,
};
