/** Every test that needs nothing but what npm and mongod give. */
export default {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  testMatch: ['<rootDir>/{shared,gateway,test}/**/*.test.ts'],
  globalSetup: '<rootDir>/test/support/globalSetup.ts',
  globalTeardown: '<rootDir>/test/support/globalTeardown.ts',
  testTimeout: 60_000,
  // Most suites wait more than they work.
  maxWorkers: 3,
  // Agenda leaves a timer of half a minute behind each job that it ran.
  forceExit: true,
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2024', parser: { syntax: 'typescript' } }, module: { type: 'es6' } },
    ],
  },
};
