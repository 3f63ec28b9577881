import { revokeKey } from '../../../gateway/src/application/keys/keys.ts';
import { arkProvider } from '../../support/arkRoutes.ts';
import { type FakeArk, startFakeArk } from '../../support/fakeArk/fakeArk.ts';
import { type FaultyProxy, startFaultyProxy } from '../../support/faultyProxy.ts';
import {
  type AccountOptions,
  startTestGateway,
  type TestAccount,
  type TestGateway,
} from '../../support/gateway.ts';
import { startRoutedGateway } from '../../support/startRoutedGateway.ts';
import { statedVideo } from '../../support/statedSupport.ts';

/** A real gateway with a line in front of it that can be disturbed. */
export interface Framegate {
  /** Base URL that an n8n user enters: the line, not the gateway itself. */
  baseUrl: string;
  line: FaultyProxy;
  /** Generates the videos of alpha-2.0-mini and alpha-2.0-fast, as scripted. */
  ark: FakeArk;
  addAccount(options?: AccountOptions): Promise<TestAccount>;
  revokeKey(account: TestAccount): Promise<void>;
  /** Credits that the account has spent so far. */
  spent(account: TestAccount): Promise<number>;
  /** Stops the gateway and starts it again on the same database and port. */
  restart(between?: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

/** Credits of an account unless a test says otherwise. */
const defaultCredits = 10_000;

/**
 * Starts a gateway whose models have been used before, so that its poll hints are a second instead
 * of the minute that it assumes of a model that it has never seen at work.
 */
export async function startFramegate(): Promise<Framegate> {
  const [ark, line] = await Promise.all([startFakeArk(), startFaultyProxy()]);
  const first = await startRoutedGateway(routesFile(ark), {
    BASE_URL: `${line.origin}/v1`,
    ARK_API_KEY: ark.apiKey,
  });
  line.target = first.origin;
  await useModels(first);
  await first.halt();
  const again = (): Promise<TestGateway> => startTestGateway({ ...first.env });
  let current = await again();
  return {
    baseUrl: `${line.origin}/v1`,
    line,
    ark,
    addAccount: (options) => current.addAccount({ credits: defaultCredits, ...options }),
    async revokeKey({ keyId }) {
      await revokeKey(current, keyId);
    },
    async spent(account) {
      const { json } = await account.get('/v1/credits/balance');
      return defaultCredits - Number(json['available']);
    },
    async restart(between) {
      await current.halt();
      await between?.();
      current = await again();
    },
    async stop() {
      await current.stop();
      await first.stop();
      await Promise.all([ark.close(), line.close()]);
    },
  };
}

function routesFile(ark: FakeArk): object {
  const preview = [{ provider: 'preview', model: 'preview' }];
  const scripted = [{ provider: 'ark', model: 'scripted', does: statedVideo }];
  return {
    providers: {
      preview: { kind: 'preview-renderer' },
      ark: arkProvider(ark),
    },
    models: {
      'alpha-2.0-pro': preview,
      'alpha-2.0-fast': scripted,
      'alpha-2.0-mini': scripted,
      'image-b-2': preview,
    },
  };
}

/** Three of each: from fewer, the gateway does not derive a model's duration. */
async function useModels(gateway: TestGateway): Promise<void> {
  const account = await gateway.addAccount({ credits: 100_000 });
  const parameters = { resolution: '480p', duration_seconds: 4 };
  const body = { model: 'alpha-2.0-mini', mode: 'text-to-video', prompt: 'before', parameters };
  const video = { path: '/v1/videos', body };
  const image = { path: '/v1/images', body: { model: 'image-b-2', prompt: 'before' } };
  const all = [video, image].flatMap((create) => [create, create, create]);
  await Promise.all(
    all.map(async ({ path, body: requestBody }) => {
      const { json } = await account.post(path, requestBody);
      await account.untilEnded(String(json['id']));
    }),
  );
}
