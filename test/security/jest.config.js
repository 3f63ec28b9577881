import root from '../../jest.config.js';

/** The API fuzzer: `npm run test:acceptance -- security`. */
export default {
  ...root,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/security/**/*.acceptance.ts'],
  testTimeout: 600_000,
  forceExit: true,
};
