import base from '../../jest.config.js';

/** The media store on a real S3-compatible server, which is installed on the first run. */
export default {
  ...base,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/s3/**/*.acceptance.ts'],
  testTimeout: 120_000,
};
