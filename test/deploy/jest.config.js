import root from '../../jest.config.js';

/** Validators of others, and the image's own steps: `npm run test:acceptance -- deploy`. */
export default {
  ...root,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/deploy/**/*.acceptance.ts'],
  testTimeout: 300_000,
};
