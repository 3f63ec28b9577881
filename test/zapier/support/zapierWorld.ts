import { sum } from '@framegate/contract';
import { createLedgerAudit } from '../../../gateway/src/adapters/mongo/credits/ledgerAudit.ts';
import { verifyLedger } from '../../../gateway/src/application/credits/audit/verifyLedger.ts';
import { grantCredits } from '../../../gateway/src/application/credits/grantCredits.ts';
import { createKey, revokeKey } from '../../../gateway/src/application/keys/keys.ts';
import { loadConfig } from '../../../gateway/src/config.ts';
import { type Gateway, startGateway } from '../../../gateway/src/gateway.ts';
import { arkProvider } from '../../support/arkRoutes.ts';
import { type FakeArk, startFakeArk } from '../../support/fakeArk/fakeArk.ts';
import type { AccountOptions, TestAccount, TestGateway } from '../../support/gateway.ts';
import { collectLog } from '../../support/mongod.ts';
import { startRoutedGateway } from '../../support/startRoutedGateway.ts';
import { statedVideo } from '../../support/statedSupport.ts';
import { until } from '../../support/until.ts';
import { observeApi, type ObservedApi } from './observedApi.ts';
import { type Ran, type RunOptions, runStep, type ZapStep } from './zap.ts';
import { startZapierPlatform, type ZapierPlatform } from './zapierPlatform.ts';

/** A user of Zapier with an account of the gateway, and an observed connection between them. */
export interface ZapUser {
  account: TestAccount;
  authData: Record<string, string>;
  api: ObservedApi;
  platform: ZapierPlatform;
  /** Runs a step, by its short name. */
  run(step: StepName, inputData: object, options?: Partial<RunOptions> & StepMeta): Promise<Ran>;
  /** The account's balance now, from the database. */
  count(): Promise<{ generations: number; charges: number; creditsSpent: number }>;
  posts(): { key: string; body: string; status: number | null }[];
}

interface StepMeta {
  meta?: Record<string, unknown>;
  /** The fields as filled in, before values are mapped. */
  inputDataRaw?: Record<string, unknown>;
  authData?: Record<string, string>;
}

const methods = {
  create_video: 'creates.create_video.operation.perform',
  create_image: 'creates.create_image.operation.perform',
  find_generation: 'searches.find_generation.operation.perform',
  video_fields: 'creates.create_video.operation.inputFields',
  image_fields: 'creates.create_image.operation.inputFields',
  video_models: 'triggers.video_model_list.operation.perform',
  image_models: 'triggers.image_model_list.operation.perform',
  all_models: 'triggers.model_list.operation.perform',
  find_price: 'searches.find_price.operation.perform',
  price_fields: 'searches.find_price.operation.inputFields',
  find_balance: 'searches.find_balance.operation.perform',
  download: 'hydrators.downloadFile',
  test: 'authentication.test',
} as const;
export type StepName = keyof typeof methods;

/** A gateway whose workers a test starts, with a scripted provider. */
export interface ZapierWorld {
  gateway: TestGateway;
  ark: FakeArk;
  /** Lets the waiting generations be made. */
  startWorker(): Promise<void>;
  stopWorker(): Promise<void>;
  addUser(options?: AccountOptions): Promise<ZapUser>;
  /** Connects a user's account once more, with a separate cache. */
  addConnection(user: ZapUser): Promise<ZapUser>;
  revoke(user: ZapUser): Promise<void>;
  addCredits(user: ZapUser, amountCredits: number): Promise<void>;
  /** Waits, without Zapier, until the account's generations have ended. */
  untilEnded(user: ZapUser): Promise<void>;
  /** Starts a worker until the account's generations have ended. */
  finish(user: ZapUser): Promise<void>;
  /** A new key of the same account. */
  addKey(user: ZapUser): Promise<string>;
  ledgerProblems(): Promise<unknown[]>;
  stop(): Promise<void>;
}

/** Starts all of it. @param providers Models whose provider is the scripted one. */
export async function startZapierWorld(scripted: readonly string[]): Promise<ZapierWorld> {
  const ark = await startFakeArk();
  const api = await observeApi();
  const gateway = await startRoutedGateway(routes(ark, scripted), {
    ARK_API_KEY: ark.apiKey,
    ROLE: 'api',
    // The single public URL, so that a key sent to a file would be seen.
    BASE_URL: `${api.origin}/v1`,
  });
  api.target = gateway.origin;
  const { log } = collectLog();
  let worker: Promise<Gateway> | undefined;
  /** Runs that end at the same time share a worker until the last of them has ended. */
  let finishing = 0;
  const platforms: ZapierPlatform[] = [];
  const { database, clock, client, collections } = gateway;
  const ledgerAudit = createLedgerAudit(client, collections);
  const addPlatform = async () => {
    const platform = await startZapierPlatform();
    platforms.push(platform);
    return platform;
  };
  const startWorker = async () => {
    worker ??= startGateway(loadConfig({ ...gateway.env, ROLE: 'worker' }), { log });
    await worker;
  };
  const stopWorker = async () => {
    const started = worker;
    worker = undefined;
    await (await started)?.stop();
  };
  const untilEnded = async ({ account: { accountId } }: ZapUser) => {
    // By the database: the key that made them may have been revoked since.
    const unfinished = { accountId, step: { $ne: 'ended' } } as const;
    await until(async () => (await collections.generations.countDocuments(unfinished)) === 0);
    const all = collections.generations.find({ accountId }, { projection: { _id: 1 } });
    for (const { _id } of await all.toArray()) api.markEnded(_id);
  };
  return {
    gateway,
    ark,
    startWorker,
    stopWorker,
    untilEnded,
    async finish(user) {
      finishing += 1;
      try {
        await startWorker();
        await untilEnded(user);
      } finally {
        finishing -= 1;
      }
      if (finishing === 0) await stopWorker();
    },
    async addCredits({ account: { accountId } }, amountCredits) {
      const grant = { accountId, amountCredits, kind: 'purchased', expiresAt: null } as const;
      const { random } = gateway;
      await grantCredits({ database, clock, random }, { ...grant, reason: null });
    },
    async addUser(options) {
      return zapUser(gateway, api, await addPlatform(), await gateway.addAccount(options));
    },
    async addConnection({ account }) {
      return zapUser(gateway, api, await addPlatform(), account);
    },
    async revoke({ account }) {
      await revokeKey({ database, clock }, account.keyId);
    },
    async addKey({ account: { accountId } }) {
      const { random, pepper } = gateway;
      const key = { accountId, name: 'second', hosts: [], models: [] };
      return (await createKey({ database, clock, random, pepper }, key)).apiKey;
    },
    ledgerProblems: async () => (await verifyLedger({ ledgerAudit })).problems,
    async stop() {
      await stopWorker();
      await gateway.stop();
      await Promise.all([ark.close(), api.close(), ...platforms.map((each) => each.close())]);
    },
  };
}

function routes(ark: FakeArk, scripted: readonly string[]): object {
  const preview = ['image-a-2', 'image-b-2', 'image-b-pro'];
  return {
    providers: {
      preview: { kind: 'preview-renderer' },
      ark: arkProvider(ark),
    },
    models: {
      ...Object.fromEntries(preview.map((model) => [model, [{ provider: 'preview', model }]])),
      ...Object.fromEntries(
        scripted.map((model) => [
          model,
          [{ provider: 'ark', model: 'scripted', does: { ...statedVideo, realPerson: true } }],
        ]),
      ),
    },
  };
}

function zapUser(
  gateway: TestGateway,
  api: ObservedApi,
  platform: ZapierPlatform,
  account: TestAccount,
): ZapUser {
  const authData = { base_url: `${api.origin}/v1`, api_key: account.apiKey };
  const before = api.requests.length;
  const { collections } = gateway;
  const { accountId } = account;
  return {
    account,
    authData,
    api,
    platform,
    run(name, inputData, { meta, authData: other, inputDataRaw, ...options } = {}) {
      const step: ZapStep = {
        method: methods[name],
        inputData: { ...inputData },
        authData: other ?? authData,
        ...(meta && { meta }),
        ...(inputDataRaw && { inputDataRaw }),
      };
      return runStep(step, { api, platform, ...options });
    },
    async count() {
      const charges = await collections.ledger.find({ accountId, kind: 'charge' }).toArray();
      const refunds = await collections.ledger.find({ accountId, kind: 'refund' }).toArray();
      const amounts = [...charges, ...refunds].map((entry) => entry.amount);
      return {
        generations: await collections.generations.countDocuments({ accountId }),
        charges: charges.length,
        creditsSpent: -sum(amounts) + 0,
      };
    },
    posts: () =>
      api.requests
        .slice(before)
        .filter(({ method }) => method === 'POST')
        .map(({ headers, body, status }) => ({
          key: String(headers['idempotency-key']),
          body,
          status,
        })),
  };
}
