import { isPlainId, standardDialect, textIn, type Dialect } from '../dialect.ts';
import { parseRows } from '../rows.ts';
import models from '../rows/modelArk.json' with { type: 'json' };
import { arkName, taskUrl } from './modelArk.ts';

/** ModelArk's dialect, with the errors of its Error Codes page. */
export const arkDialect: Dialect = {
  ...standardDialect,
  name: arkName,
  // Its entry's `baseURL` names the host.
  apiHosts: [],
  defaultRules: [
    {
      match: /Input\w*(SensitiveContentDetected|RiskDetection)\.PrivacyInformation/i,
      code: 'real_person_rejected',
    },
    { match: /Output\w*(SensitiveContentDetected|RiskDetection)/i, code: 'output_rejected' },
    { match: /(SensitiveContentDetected|Input\w*RiskDetection)/i, code: 'input_rejected' },
  ],
  // Documented as 429; a proxy may use another status.
  declaredRefusal:
    /\b(ServerOverloaded|RateLimitExceeded|RequestBurstTooFast|QuotaExceeded|SetLimitExceeded)\b/,
  operationOf: (taskId) => (isPlainId(taskId) ? { taskId } : null),
  // Only queued jobs; running ones are refused (ModelArk: Cancel or delete a video generation task).
  cancelRequest(operation, { apiKey, baseURL }) {
    const id = textIn(operation, 'taskId');
    const authorization = `Bearer ${apiKey}`;
    return id === null ? null : { method: 'DELETE', url: taskUrl(baseURL, id), authorization };
  },
  models: parseRows(models),
};
