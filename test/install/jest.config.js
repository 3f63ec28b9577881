import base from '../../jest.config.js';

/** The installation for production, made by npm in a copy of the tracked files. */
export default {
  ...base,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/install/**/*.acceptance.ts'],
  testTimeout: 300_000,
};
