import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFakeArk, type FakeArk } from '../../support/fakeArk/fakeArk.ts';
import { startFaultyProxy, type FaultyProxy } from '../../support/faultyProxy.ts';
import { startTestGateway, type AccountOptions, type TestAccount } from '../../support/gateway.ts';

/** A real gateway behind a line that can be disturbed, for a client under test. */
export interface ClientWorld {
  /** What a user enters: the line, not the gateway itself. Downloads come over it, too. */
  baseUrl: string;
  line: FaultyProxy;
  /** Makes the videos, as scripted; images are previews. */
  ark: FakeArk;
  /** For what a test writes. */
  folder: string;
  addAccount(options?: AccountOptions): Promise<TestAccount>;
  /** What the account can spend. */
  available(account: TestAccount): Promise<number>;
  stop(): Promise<void>;
}

/** Starts a gateway and what belongs to it. */
export async function startClientWorld(): Promise<ClientWorld> {
  const [ark, line] = await Promise.all([startFakeArk(), startFaultyProxy()]);
  const folder = await mkdtemp(join(tmpdir(), 'framegate-clients-'));
  const routes = join(folder, 'routes.json');
  await writeFile(routes, JSON.stringify(routesFile(ark)));
  const gateway = await startTestGateway({
    ROUTES_FILE: routes,
    BASE_URL: `${line.origin}/v1`,
    ARK_KEY: ark.apiKey,
  });
  line.target = gateway.origin;
  return {
    baseUrl: `${line.origin}/v1`,
    line,
    ark,
    folder,
    addAccount: (options) => gateway.addAccount(options),
    async available(account) {
      return Number((await account.get('/v1/credits/balance')).json['available']);
    },
    async stop() {
      await gateway.stop();
      await Promise.all([ark.close(), line.close(), rm(folder, { recursive: true })]);
    },
  };
}

function routesFile({ baseURL, mediaHost }: FakeArk): object {
  const videos = [{ provider: 'ark', model: 'scripted' }];
  return {
    providers: {
      preview: { kind: 'preview-renderer' },
      ark: {
        kind: 'model-ark',
        apiKeyEnv: 'ARK_KEY',
        baseURL,
        mediaHosts: [mediaHost],
        allowPrivateNetwork: true,
      },
    },
    models: {
      'alpha-2.0-fast': videos,
      'alpha-2.0-mini': videos,
      'image-b-2': [{ provider: 'preview', model: 'preview' }],
    },
  };
}
