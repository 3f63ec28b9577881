import { defineApp, version as platformVersion } from 'zapier-platform-core';
import { app } from './app.ts';
import { appVersion } from './builtWith.ts';

/** The app as loaded by Zapier; the platform requires a default export. */
export default defineApp({ ...app, version: appVersion, platformVersion });
