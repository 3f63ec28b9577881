import root from '../../jest.config.js';

/** The Zapier app with Zapier's real core and CLI against the real gateway; installs both. */
export default {
  ...root,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/zapier/**/*.acceptance.ts'],
  globalSetup: '<rootDir>/test/zapier/support/installApp.ts',
  testTimeout: 180_000,
  maxWorkers: 1,
};
