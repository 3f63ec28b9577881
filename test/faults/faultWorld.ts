import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { catalogue } from '@framegate/contract';
import type { MediaStore } from '@framegate/media';
import { createDiskStore } from '../../gateway/media/src/diskStore.ts';
import { createLedgerAudit } from '../../gateway/src/adapters/mongo/credits/ledgerAudit.ts';
import { createRandom } from '../../gateway/src/adapters/system/random.ts';
import { completeSecrets } from '../../gateway/src/adapters/system/secretsFile.ts';
import { setAccountLimits } from '../../gateway/src/application/accounts/accounts.ts';
import { createAccount } from '../../gateway/src/application/accounts/createAccount.ts';
import { grantCredits } from '../../gateway/src/application/credits/grantCredits.ts';
import type { Timings } from '../../gateway/src/application/generations/timings.ts';
import { createKey } from '../../gateway/src/application/keys/keys.ts';
import { type OpenDatabase, openDatabase } from '../../gateway/src/compose/openDatabase.ts';
import { loadConfig } from '../../gateway/src/config.ts';
import type { Limits } from '../../gateway/src/domain/accounts/limits.ts';
import { arkProvider } from '../support/arkRoutes.ts';
import { type FakeArk, startFakeArk } from '../support/fakeArk/fakeArk.ts';
import { type FakeImages, startFakeImages } from '../support/fakeImages.ts';
import { freePort } from '../support/freePort.ts';
import { collectLog } from '../support/mongod.ts';
import { compiledFolder } from '../support/runNode.ts';
import { statedVideo } from '../support/statedSupport.ts';
import { skewVariable, timingsVariable } from './faultCommands.ts';
import { type InputHost, startInputHost } from './inputHost.ts';
import { startMediaFront } from './mediaFront.ts';
import { type GatewayProcess, startGatewayProcess } from './startGatewayProcess.ts';

/** An account of a fault run. */
export interface FaultAccount {
  accountId: string;
  apiKey: string;
}

/** Gateway processes on one database, a scripted provider, and the test's own view of the database. */
export interface FaultWorld {
  ark: FakeArk;
  images: FakeImages;
  inputs: InputHost;
  mongo: OpenDatabase;
  ledgerAudit: ReturnType<typeof createLedgerAudit>;
  /** The files of the gateways. */
  files: { store: MediaStore; folder: string };
  start(env?: Record<string, string>): Promise<GatewayProcess>;
  addAccount(credits: number, limits?: Partial<Limits>): Promise<FaultAccount>;
  /** Stops every process and removes everything but the database. */
  close(): Promise<void>;
}

/** Ten times the pace of production, so that a run has time for many crashes. */
export const quickTimings: Timings = {
  leaseMs: 3_000,
  deadlineGraceMs: 12_000,
  minPollDelayMs: 500,
  lookEveryMs: 250,
  callersCachedMs: 5_000,
  breakersRefreshMs: 3_000,
  provenAfterMs: 3_000,
  neglectedAfterMs: 1_000,
  lockMs: 3_000,
  upkeepEveryMs: 1_000,
  superviseEveryMs: 500,
  catalogueNoticeMs: 4_000,
  removalMs: 15_000,
};

/** Limits that no client reaches by accident. */
const plenty: Limits = {
  createsPerMinute: 1_000_000,
  burst: 1_000_000,
  running: 1_000,
  waiting: 1_000,
  statusReadsPerMinute: 1_000_000,
  otherReadsPerMinute: 1_000_000,
};

/** Opens a world on a database; every process gets `env`. */
export async function openFaultWorld(options: {
  uri: string;
  timings?: Timings;
  env?: Record<string, string>;
  /**
   * Content of the routes file; by default every video model is routed to the ark, and two models to the
   * image provider.
   */
  routes?: (providers: Pick<FaultWorld, 'ark' | 'images'>) => object;
  /** Starts a process with these settings, instead of this tree's gateway that accepts orders. */
  launch?: (env: Record<string, string>) => Promise<GatewayProcess>;
  /** Connection of the test itself, for faults that must only affect the processes. */
  testUri?: string;
}): Promise<FaultWorld> {
  const dataDir = await mkdtemp(join(tmpdir(), 'framegate-faults-'));
  const ark = await startFakeArk();
  const images = await startFakeImages();
  const inputs = await startInputHost(dataDir);
  const processes: GatewayProcess[] = [];
  const front = await startMediaFront(() =>
    processes.filter((each) => each.isAlive() && each.origin !== '').map(({ origin }) => origin),
  );
  const routesFile = join(dataDir, 'routes.json');
  const routes = (options.routes ?? defaultRoutes)({ ark, images });
  await writeFile(routesFile, JSON.stringify(routes));
  const settings = {
    MONGODB_URI: options.uri,
    DATA_DIR: dataDir,
    ROUTES_FILE: routesFile,
    ARK_API_KEY: ark.apiKey,
    IMAGES_API_KEY: 'secret',
    MEDIA_URL: front.url,
    NODE_COMPILE_CACHE: compiledFolder,
    ...inputs.env,
    ...options.env,
    ...(options.timings && { [timingsVariable]: JSON.stringify(options.timings) }),
  };
  const config = loadConfig({ ...settings, MONGODB_URI: options.testUri ?? settings.MONGODB_URI });
  const mongo = await openDatabase(config, collectLog());
  await mongo.migrate();
  const { database, clock } = mongo;
  // The secrets are created once, before several processes look for them.
  const [pepper] = completeSecrets(config.secrets, config.dataDir).keyPeppers;
  if (!pepper) throw new Error('no pepper');
  const passwords = {
    hash: () => Promise.resolve('none'),
    verify: () => Promise.resolve(false),
    isKnown: () => Promise.resolve(false),
    words: [],
  };
  const deps = { database, clock, random: createRandom(clock), passwords, pepper };
  const folder = join(dataDir, 'media');
  return {
    ark,
    images,
    inputs,
    mongo,
    files: { store: createDiskStore(folder), folder },
    ledgerAudit: createLedgerAudit(mongo.client, mongo.collections),
    async start(env = {}) {
      const own = { PORT: String(await freePort()), [skewVariable]: '0', ...settings, ...env };
      const started = await (options.launch ?? startGatewayProcess)(own);
      processes.push(started);
      return started;
    },
    async addAccount(credits, limits = {}) {
      const { id: accountId } = await createAccount(deps, {
        email: `${randomUUID()}@example.com`,
        password: randomUUID(),
        isVerified: true,
        staffRole: null,
      });
      const grant = { accountId, amountCredits: credits, kind: 'purchased' as const };
      await grantCredits(deps, { ...grant, expiresAt: null, reason: null });
      await setAccountLimits(
        { database, defaultLimits: config.limits },
        { accountId, limits: { ...plenty, ...limits } },
      );
      const key = { accountId, name: 'faults', hosts: [inputs.host], models: [] };
      const { apiKey } = await createKey(deps, key);
      return { accountId, apiKey };
    },
    async close() {
      await Promise.all(processes.map((each) => each.stop()));
      await mongo.close();
      for (const each of [ark, images, inputs, front]) await each.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function defaultRoutes({ ark, images }: Pick<FaultWorld, 'ark' | 'images'>): object {
  const videos = catalogue.filter(({ type }) => type === 'video');
  return {
    providers: {
      ark: arkProvider(ark),
      images: {
        kind: 'ai-sdk',
        package: '@ai-sdk/openai',
        factory: 'createOpenAI',
        apiKeyEnv: 'IMAGES_API_KEY',
        allowPrivateNetwork: true,
        rewriteOrigins: { 'https://api.openai.com': images.origin },
      },
    },
    models: {
      ...Object.fromEntries(
        videos.map(({ id }) => [id, [{ provider: 'ark', model: 'up', does: statedVideo }]]),
      ),
      // All images in one call, and a call for each.
      'image-a-2': [{ provider: 'images', model: 'gpt-image-1' }],
      'image-b-2': [{ provider: 'images', model: 'gpt-image-1-mini' }],
    },
  };
}
