import root from '../../jest.config.js';

/**
 * The account site in Debian's Chromium:
 * `node --experimental-vm-modules node_modules/jest/bin/jest.js --config test/browser/jest.config.js`.
 */
export default {
  ...root,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/browser/**/*.acceptance.ts'],
  globalSetup: '<rootDir>/test/browser/support/globalSetup.ts',
  testTimeout: 120_000,
  maxWorkers: 1,
};
