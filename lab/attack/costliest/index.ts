import type { CostliestRequests } from '../rows.ts';
import { ofApi } from './api.ts';
import { ofConsole } from './console.ts';
import { ofOperators } from './operators.ts';
import { ofPublicPages } from './publicPages.ts';
import { ofSettings } from './settings.ts';
import { ofWork } from './work.ts';

/** The costliest lawful input of every route. */
export const costliestRequests: CostliestRequests = {
  ...ofApi,
  ...ofPublicPages,
  ...ofSettings,
  ...ofWork,
  ...ofConsole,
  ...ofOperators,
};
