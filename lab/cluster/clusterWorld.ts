import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repeatEvery } from '@framegate/limits';
import { startNameServer } from '../../test/deploy/support/nameServer.ts';
import { startCaddy } from '../../test/deploy/support/startCaddy.ts';
import { startGatewayProcess } from '../../test/faults/startGatewayProcess.ts';
import { copyTracked, documentedInstall, runNpm } from '../../test/install/installCopy.ts';
import { freePort } from '../../test/support/freePort.ts';
import { type Ended, runNode } from '../../test/support/runNode.ts';
import { until } from '../../test/support/until.ts';
import { type FleetWorld, openFleetWorld } from '../fleet/fleetWorld.ts';

/** A cluster as operators run it: the production tree in production mode, behind real Caddy with TLS. */
export interface ClusterWorld extends FleetWorld {
  /** Base URL of the API, through the proxy. */
  baseUrl: string;
  /** File with the certificate that clients of the proxy need. */
  authority: string;
  /** Origins of the operator API of processes that are ready. */
  operatorOrigins: () => string[];
  /** Runs an admin command of the installed tree. */
  runAdmin(words: readonly string[], env?: Record<string, string>): Promise<Ended>;
}

/** A process that the name server lists while it is ready. */
interface Upstream {
  host: string;
  operatorOrigin: string;
  readyz: string;
  isListed: boolean;
}

/** Interval of the readiness checks: Kubernetes and Compose check less often, and wait longer accordingly. */
const probeMs = 250;
/** Longer than a probe and the second for which Caddy keeps addresses. */
const stopPauseSeconds = 4;
/** Precedes programs of the installed tree, so that they end with the test and can get another time. */
const preload = ['--import', join(import.meta.dirname, '../../test/faults/skewClock.ts')];

/** Installs production's tree and opens everything around its processes; `start` starts one. */
export async function openClusterWorld(): Promise<ClusterWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'framegate-cluster-'));
  const closing = [() => rm(folder, { recursive: true, force: true })];
  const close = async () => {
    for (const step of closing.splice(0).toReversed()) await step();
  };
  try {
    const root = join(folder, 'framegate');
    await mkdir(root);
    await copyTracked(root);
    await runNpm(`${documentedInstall()} -w @framegate/providers`, root);

    const upstreams: Upstream[] = [];
    const stopProbes = repeatEvery(
      probeMs,
      () =>
        Promise.all(upstreams.map(async (each) => (each.isListed = await isReady(each.readyz)))),
      () => undefined,
    );
    const listHosts = () => upstreams.filter(({ isListed }) => isListed).map(({ host }) => host);
    const names = await startNameServer(listHosts);
    closing.push(async () => {
      stopProbes();
      await names.close();
    });
    const [sitePort, apiPort] = [String(await freePort()), String(await freePort())];
    const caddy = await startCaddy(
      {
        SITE_HOST: `https://video.localhost:${sitePort}`,
        MEDIA_HOST: `https://files.localhost:${sitePort}`,
        UPSTREAM_HOST: 'api.framegate.test',
        UPSTREAM_PORT: apiPort,
      },
      `127.0.0.1:${names.port}`,
    );
    closing.push(() => caddy.close());

    const secret = () => `1:${randomBytes(48).toString('base64')}`;
    const baseUrl = `https://video.localhost:${sitePort}/v1`;
    let settings: Record<string, string> = {};
    let started = 0;
    const world = await openFleetWorld({
      env: {
        MODE: 'production',
        BASE_URL: baseUrl,
        MEDIA_URL: `https://files.localhost:${sitePort}`,
        TRUST_PROXY: '127.0.0.1',
        KEY_PEPPERS: secret(),
        MEDIA_SIGNING_KEYS: secret(),
        SESSION_KEYS: secret(),
        SMTP_URL: 'smtp://127.0.0.1:25',
        STOP_PAUSE_SECONDS: String(stopPauseSeconds),
        // No request is aborted, however slow the machine is.
        STOP_GRACE_SECONDS: '1200',
        INPUT_HOST_OVERRIDES: '',
      },
      async launch(env) {
        settings = env;
        started += 1;
        // One port for all, as on separate machines.
        const host = `127.0.1.${started}`;
        const metricsPort = String(await freePort());
        const readyz = `http://127.0.0.1:${metricsPort}/readyz`;
        const operatorPort = String(await freePort());
        const own = {
          HOST: host,
          PORT: apiPort,
          METRICS_PORT: metricsPort,
          OPERATOR_HOST: host,
          OPERATOR_PORT: operatorPort,
        };
        const dataDir = join(folder, `data${started}`);
        const process = await startGatewayProcess(
          { ...env, ...own, DATA_DIR: dataDir },
          {
            args: [...preload, 'gateway/start.js'],
            cwd: root,
            async waitUntilReady(child) {
              await until(() => child.exitCode !== null || isReady(readyz), 'it is ready');
              return env['ROLE'] === 'worker' ? null : `http://${host}:${apiPort}`;
            },
          },
        );
        if (env['ROLE'] !== 'worker') {
          const operatorOrigin = `http://${host}:${operatorPort}`;
          upstreams.push({ host, operatorOrigin, readyz, isListed: false });
        }
        return process;
      },
    });
    closing.push(() => world.close());
    return {
      ...world,
      baseUrl,
      authority: caddy.authority,
      operatorOrigins: () =>
        upstreams.filter(({ isListed }) => isListed).map((each) => each.operatorOrigin),
      runAdmin: (words, env) =>
        runNode([join(root, 'gateway/src/admin.ts'), ...words], { ...settings, ...env }),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function isReady(readyz: string): Promise<boolean> {
  try {
    const response = await fetch(readyz, { signal: AbortSignal.timeout(1_000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}
