import root from '../../jest.config.js';

/** The clients of integrations/ as they are published, against real gateways. */
export default {
  ...root,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/clients/**/*.{test,acceptance}.ts'],
  testTimeout: 120_000,
};
