import type { Config } from 'jest';
import { suites } from './test/suites.ts';

type Project = Exclude<NonNullable<Config['projects']>[number], string>;

/** What all projects have: tests run in bare Node processes, which strip the types and keep modules loaded. */
const common: Project = {
  runner: '<rootDir>/test/support/jest/runner.ts',
  transform: {},
  setupFiles: ['<rootDir>/test/support/jest/resolveModules.ts'],
  setupFilesAfterEnv: ['<rootDir>/test/support/jest/limits.ts'],
  globalTeardown: '<rootDir>/test/support/globalTeardown.ts',
};

const acceptance = Object.entries(suites).map(
  ([name, { folder = 'test', setUp = 'test/support/globalSetup.ts' }]): Project => ({
    ...common,
    displayName: name,
    roots: [`<rootDir>/${folder}/${name}`],
    testMatch: ['**/*.acceptance.ts'],
    globalSetup: `<rootDir>/${setUp}`,
  }),
);

/** `npm test` runs the project `quick`: all tests but those of the acceptance suites. Jest reads the default export. */
// eslint-disable-next-line no-restricted-syntax
export default {
  // Most suites wait more than they work.
  maxWorkers: 3,
  watchman: false,
  reporters: [
    'default',
    '<rootDir>/test/support/jest/failureList.ts',
    '<rootDir>/test/support/jest/skipList.ts',
  ],
  projects: [
    {
      ...common,
      displayName: 'quick',
      roots: ['<rootDir>/shared', '<rootDir>/gateway', '<rootDir>/test', '<rootDir>/lab'],
      testMatch: ['**/*.test.ts'],
      globalSetup: '<rootDir>/test/support/globalSetup.ts',
    },
    ...acceptance,
  ],
} satisfies Config;
