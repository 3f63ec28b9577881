import { join } from 'node:path';
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';
import { suites } from './test/suites.ts';

const acceptance = Object.entries(suites).map(
  ([name, { timeoutMs, oneByOne = false, setUp }]): TestProjectConfiguration => ({
    extends: true,
    test: {
      name,
      include: [`test/${name}/**/*.acceptance.ts`],
      testTimeout: timeoutMs,
      hookTimeout: timeoutMs,
      fileParallelism: !oneByOne,
      ...(setUp !== undefined && { globalSetup: [setUp] }),
    },
  }),
);

/** `npm test` runs the project `quick`: all tests but those of the acceptance suites. */
export default defineConfig({
  // The node's own library is not installed here: its sources are tested on a stand-in.
  resolve: {
    alias: { 'n8n-workflow': join(import.meta.dirname, 'test/leaks/n8nStandIn.ts') },
  },
  test: {
    pool: 'forks',
    // Modules are loaded once in each process, not once for each file: that is half the time.
    isolate: false,
    // Most suites wait more than they work.
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    globalSetup: ['test/support/globalSetup.ts'],
    projects: [
      { extends: true, test: { name: 'quick', include: ['{shared,gateway,test}/**/*.test.ts'] } },
      ...acceptance,
    ],
  },
});
