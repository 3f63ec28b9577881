import { accountSettings } from './accountSettings.ts';
import { fileSettings } from './fileSettings.ts';
import { mediaStoreSettings } from './mediaStoreSettings.ts';
import { provenanceSettings } from './provenanceSettings.ts';
import { secretSettings } from './secretSettings.ts';
import { serverSettings } from './serverSettings.ts';
import { databaseSettings, mailSettings, traceSettings } from './serviceSettings.ts';
import type { ParsedValues } from './setting.ts';
import { signInSettings } from './signInSettings.ts';
import { timeSettings } from './timeSettings.ts';

/** Every setting, in the order in which docs/operating/settings.md and .env.example list them. */
export const settings = {
  ...serverSettings,
  ...databaseSettings,
  ...secretSettings,
  ...fileSettings,
  ...timeSettings,
  ...accountSettings,
  ...signInSettings,
  ...mediaStoreSettings,
  ...provenanceSettings,
  ...mailSettings,
  ...traceSettings,
};

/** The values of all settings, before they are arranged into a `Config`. */
export type SettingValues = ParsedValues<typeof settings>;
