import { join } from 'node:path';
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';

/** Of `npm run test:acceptance`, each by the folder of its name in `test/`; what differs from the usual. */
const suites: Readonly<Record<string, { timeoutMs: number; oneByOne?: true; setUp?: string }>> = {
  // Gateway processes that are killed at every labelled step; `npm run faults` plays more of it.
  faults: { timeoutMs: 60_000 },
  // The account site in Debian's Chromium.
  browser: { timeoutMs: 120_000, oneByOne: true, setUp: 'test/browser/support/globalSetup.ts' },
  // The n8n package in real n8n.
  n8n: { timeoutMs: 120_000, setUp: 'test/n8n/support/globalSetup.ts' },
  // The Zapier app with Zapier's real core and CLI against the real gateway.
  zapier: { timeoutMs: 180_000, oneByOne: true, setUp: 'test/zapier/support/installApp.ts' },
  // The clients of integrations/ as they are published, against real gateways.
  clients: { timeoutMs: 600_000 },
  // The media store on a real S3-compatible server, which is installed on the first run.
  s3: { timeoutMs: 120_000 },
  // The API fuzzer, and inputs that cost much to read.
  security: { timeoutMs: 600_000 },
  // The installation for production, made by npm in a copy of the tracked files.
  install: { timeoutMs: 300_000 },
  // Migrations, and this code beside the release before on one database.
  upgrade: { timeoutMs: 180_000 },
  // Files for deployment before others' validators, and the image's own steps.
  deploy: { timeoutMs: 900_000, oneByOne: true },
  // A short storm on a fleet of processes, with three database servers and an S3-compatible store.
  fleet: { timeoutMs: 120_000 },
  // Production's tree behind real Caddy: rolled, broken part by part, and restored from a backup.
  cluster: { timeoutMs: 120_000 },
};

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

/** `npm test` runs the project `quick`: every test that needs nothing but what npm and mongod give. */
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
