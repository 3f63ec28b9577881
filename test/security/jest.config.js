import root from '../../jest.config.js';

/** The API fuzzer, and inputs that cost much to read: `npm run test:acceptance -- security`. */
export default {
  ...root,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/security/**/*.acceptance.ts'],
  testTimeout: 600_000,
};
