import { isPlainId, standardDialect, type Dialect } from '../dialect.ts';
import { leastSupport } from '../routeSupport.ts';
import { arkName } from './modelArk.ts';

/**
 * ModelArk's ways (its Error Codes page). Older Seedance models do less; an endpoint id (`ep-…`) says
 * nothing about its model, so the route's `supports` has to.
 */
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
  videoSupport: (model) => {
    const isFirst = /seedance-1-0/.test(model);
    const isSecond = /seedance-1-5/.test(model);
    return {
      ...leastSupport,
      lastFrame: !/fast/.test(model) || !isFirst,
      audio: !isFirst,
      references: isFirst || isSecond ? leastSupport.references : { image: 9, video: 3, audio: 3 },
      resolutions: ['480p', '720p', '1080p'],
    };
  },
};
