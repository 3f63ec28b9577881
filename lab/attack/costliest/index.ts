import type { CostliestRequests } from '../rows.ts';
import { apiRequests } from './api.ts';
import { consoleRequests } from './console.ts';
import { operatorRequests } from './operators.ts';
import { publicPageRequests } from './publicPages.ts';
import { settingsRequests } from './settings.ts';
import { workRequests } from './work.ts';

/** The costliest lawful input of every route. */
export const costliestRequests: CostliestRequests = {
  ...apiRequests,
  ...publicPageRequests,
  ...settingsRequests,
  ...workRequests,
  ...consoleRequests,
  ...operatorRequests,
};
