import base from '../../jest.config.js';

/** A short storm on a fleet of processes, with three database servers and an S3-compatible store. */
export default {
  ...base,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/fleet/**/*.acceptance.ts'],
  testTimeout: 120_000,
};
