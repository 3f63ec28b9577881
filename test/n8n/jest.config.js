import root from '../../jest.config.js';

/** The tests of the n8n package: `node --experimental-vm-modules node_modules/jest/bin/jest.js --config test/n8n/jest.config.js`. */
export default {
  ...root,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/n8n/**/*.acceptance.ts'],
  globalSetup: '<rootDir>/test/n8n/support/globalSetup.ts',
  testTimeout: 120_000,
};
