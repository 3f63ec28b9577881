import base from '../../jest.config.js';

/** Gateway processes that are killed at every labelled step; `npm run faults` plays more of it. */
export default {
  ...base,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/faults/**/*.acceptance.ts'],
};
