import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { arkProvider } from '../../support/arkRoutes.ts';
import { type FakeArk, startFakeArk } from '../../support/fakeArk/fakeArk.ts';
import { type FaultyProxy, startFaultyProxy } from '../../support/faultyProxy.ts';
import type { AccountOptions, TestAccount } from '../../support/gateway.ts';
import { startRoutedGateway } from '../../support/startRoutedGateway.ts';
import { statedVideo } from '../../support/statedSupport.ts';

/** A real gateway behind a connection that can be disturbed, for a client under test. */
export interface ClientWorld {
  /** The URL that a user enters: the proxy, not the gateway itself. Downloads also use it. */
  baseUrl: string;
  line: FaultyProxy;
  /** Generates the videos, as scripted; images are previews. */
  ark: FakeArk;
  /** Folder for files written by a test. */
  folder: string;
  addAccount(options?: AccountOptions): Promise<TestAccount>;
  /** Spendable credits of the account. */
  available(account: TestAccount): Promise<number>;
  /** Number of the account's generations. */
  generationsOf(account: TestAccount): Promise<number>;
  /** Credits that some calls spent. */
  spentBy(account: TestAccount, calls: () => Promise<unknown>): Promise<number>;
  /** Creates since the proxy was reset. */
  creates(): FaultyProxy['seen'];
  stop(): Promise<void>;
}

/** Starts a gateway with a provider, a proxy and a folder. */
export async function startClientWorld(): Promise<ClientWorld> {
  const [ark, line] = await Promise.all([startFakeArk(), startFaultyProxy()]);
  const folder = await mkdtemp(join(tmpdir(), 'framegate-clients-'));
  const gateway = await startRoutedGateway(routesFile(ark), {
    BASE_URL: `${line.origin}/v1`,
    ARK_API_KEY: ark.apiKey,
  });
  line.target = gateway.origin;
  const available = async (account: TestAccount) =>
    Number((await account.get('/v1/credits/balance')).json['available']);
  return {
    baseUrl: `${line.origin}/v1`,
    line,
    ark,
    folder,
    addAccount: (options) => gateway.addAccount(options),
    available,
    generationsOf({ accountId }) {
      const { generations } = gateway.collections;
      return generations.countDocuments({ accountId });
    },
    async spentBy(account, calls) {
      const before = await available(account);
      await calls();
      return before - (await available(account));
    },
    creates: () => line.seen.filter(({ method }) => method === 'POST'),
    async stop() {
      await gateway.stop();
      await Promise.all([ark.close(), line.close(), rm(folder, { recursive: true })]);
    },
  };
}

function routesFile(ark: FakeArk): object {
  const videos = [{ provider: 'ark', model: 'scripted', does: statedVideo }];
  return {
    providers: {
      preview: { kind: 'preview-renderer' },
      ark: arkProvider(ark),
    },
    models: {
      'alpha-2.0-fast': videos,
      'alpha-2.0-mini': videos,
      'image-b-2': [{ provider: 'preview', model: 'preview' }],
    },
  };
}
