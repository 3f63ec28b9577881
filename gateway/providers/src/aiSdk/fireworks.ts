import { standardDialect, type Dialect } from '../dialect.ts';
import { parseRows } from '../rows.ts';
import models from '../rows/fireworks.json' with { type: 'json' };
import { fluxRules, parseFluxPoll } from './blackForestLabs.ts';

/**
 * `@ai-sdk/fireworks` 3, images. The size follows from the ratio, and is in pixels only for the Stable
 * Diffusion models. Kontext queues its work and is polled by POST; the package keeps polling after a task was
 * moderated, so the polls are interpreted here.
 */
export const fireworksDialect: Dialect = {
  ...standardDialect,
  name: 'fireworks',
  apiHosts: ['api.fireworks.ai'],
  defaultRules: fluxRules,
  models: parseRows(models),
  imageLooks: /\/get_result$/,
  parseImagePoll: parseFluxPoll,
};
