/** The options of an acceptance suite. */
interface Suite {
  timeoutMs: number;
  /** Its duration on two cores alongside another suite; lanes begin with the longest. */
  usualSeconds: number;
  /** Whether its files run one after the other. */
  oneByOne?: boolean;
  /** The suite's own folder; otherwise in `test`. */
  folder?: 'lab';
  /** A file that prepares the suite. */
  setUp?: string;
}

/**
 * The suites of `npm run test:acceptance`; each is the files `*.acceptance.ts` in the folder of its name. They need
 * more than npm and mongod, or take more than five seconds per file.
 */
export const suites: Readonly<Record<string, Suite>> = {
  // Gateway processes killed at every labelled step, and databases and queues in trouble; `npm run faults` runs more of
  // it.
  faults: { timeoutMs: 480_000, usualSeconds: 450 },
  // The preview renderer's videos and images, also through the API, and renders whose process is killed.
  preview: { timeoutMs: 60_000, usualSeconds: 30 },
  // The first start with its printed curl lines, the commands of pages in their order, and starts that must fail.
  start: { timeoutMs: 60_000, usualSeconds: 30 },
  // Commands of `npm run admin`, each in a process of its own.
  admin: { timeoutMs: 120_000, usualSeconds: 10 },
  // The embedded database: its starts, and processes that share it.
  mongod: { timeoutMs: 60_000, usualSeconds: 60 },
  // The account site in Debian's Chromium.
  browser: {
    timeoutMs: 120_000,
    usualSeconds: 665,
    oneByOne: true,
    setUp: 'test/browser/support/globalSetup.ts',
  },
  // The n8n package in real n8n.
  n8n: { timeoutMs: 120_000, usualSeconds: 280, setUp: 'test/n8n/support/globalSetup.ts' },
  // The Zapier app with Zapier's real core and CLI against the real gateway.
  zapier: {
    timeoutMs: 180_000,
    usualSeconds: 235,
    oneByOne: true,
    setUp: 'test/zapier/support/installApp.ts',
  },
  // The published clients of integrations/, against real gateways.
  clients: { timeoutMs: 600_000, usualSeconds: 500 },
  // The media store on a real S3-compatible server, which is installed on the first run.
  s3: { timeoutMs: 120_000, usualSeconds: 60 },
  // Third-party videos and pictures, compared by another decoder; hostile files; and frames of videos.
  media: { timeoutMs: 120_000, usualSeconds: 90 },
  // A real ComfyUI on the processor, from the checkout that COMFYUI_DIR names; without one the run reports this.
  comfyUi: { timeoutMs: 240_000, usualSeconds: 60 },
  // The API fuzzer, expensive inputs, the audit of packages, and slow tests of rules.
  security: { timeoutMs: 600_000, usualSeconds: 315 },
  // Providers that fail, deliver the wrong result, or take turns.
  providers: { timeoutMs: 240_000, usualSeconds: 180 },
  // The installation for production, made by npm in a copy of the tracked files, the first change of a contributor, and
  // the packages that a gateway serves, whose packing takes the most time.
  install: { timeoutMs: 300_000, usualSeconds: 340 },
  // Migrations, and this code alongside a made-up next version on one database.
  upgrade: { timeoutMs: 180_000, usualSeconds: 45 },
  // Deployment files checked by third-party validators, the image's own steps, and a release.
  deploy: { timeoutMs: 900_000, usualSeconds: 140, oneByOne: true },
  // The sample product of docs/examples, whose books must equal the ledger while every process is killed.
  pcProduct: { timeoutMs: 900_000, usualSeconds: 100 },
  // A short storm on a fleet of processes, with three database servers and an S3-compatible store.
  fleet: { folder: 'lab', timeoutMs: 120_000, usualSeconds: 255, oneByOne: true },
  // Production's tree behind real Caddy: rolled, broken part by part, and restored from a backup.
  cluster: { folder: 'lab', timeoutMs: 120_000, usualSeconds: 190 },
};

/** @returns The default time limit of a test in this file, in ms. */
export function timeoutOf(path: string): number {
  const suite = /\/(?:test|lab)\/([^/]+)\/.*\.acceptance\.ts$/.exec(path)?.[1];
  return suites[suite ?? '']?.timeoutMs ?? 120_000;
}
