import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { operatorScopeNames } from '@framegate/contract';
import { packInto } from '../clients/typescript/packed.ts';
import type { Chance } from '../faults/chance.ts';
import { faultyUri } from '../faults/failPoint.ts';
import { type FaultWorld, openFaultWorld, quickTimings } from '../faults/faultWorld.ts';
import { type GatewayProcess, startGatewayProcess } from '../faults/startGatewayProcess.ts';
import { createTestDatabase } from '../support/database.ts';
import { type FaultyProxy, startFaultyProxy } from '../support/faultyProxy.ts';
import { freePort } from '../support/freePort.ts';
import { compiledFolder, type Ended, projectRoot, runNode } from '../support/runNode.ts';
import { type PaymentProvider, startPaymentProvider } from './paymentProvider.ts';

/** Purpose of a process. */
export type Part = 'api' | 'worker' | 'product';

/** The gateway's processes, the sample product as its customers run it, and a payment provider. */
export interface ProductWorld {
  gateway: FaultWorld;
  payments: PaymentProvider;
  /** The line between the product and the operator API. */
  line: FaultyProxy;
  /** The URL of the product's pages. */
  shopUrl: string;
  /** Connection string of the product's own database. */
  productUri: string;
  /** Live processes of a part, oldest first. */
  alive(part: Part): GatewayProcess[];
  /** Starts one more process of a part. */
  add(part: Part): Promise<void>;
  /** Kills the oldest process of a part and puts another one in its place. */
  kill(part: Part): Promise<void>;
  kills(): number;
  /** Replaces the oldest process of a part without a loss. @returns How it ended. */
  roll(part: Part): Promise<string>;
  /** The output of the product's processes. */
  printed(): string;
  /** `node src/statement.ts` of the product. */
  statement(): Promise<Ended>;
  /** `npm run admin`. */
  admin(...command: string[]): Promise<Ended>;
  close(): Promise<void>;
}

const product = join(projectRoot, 'docs/examples/pc-product');
/** Limits that no customer reaches by accident. */
const plenty = { creates_per_minute: 10_000, burst: 1_000, running: 100, waiting: 1_000 };

/** Opens the world: two api and two worker processes, and one of the product. */
export async function openProductWorld(chance: Chance): Promise<ProductWorld> {
  const closing: (() => Promise<unknown>)[] = [];
  const members: { part: Part; process: GatewayProcess }[] = [];
  const operatorOrigins = new Map<GatewayProcess, string>();
  let killed = 0;
  const alive = (part: Part) =>
    members
      .filter((each) => each.part === part && each.process.isAlive())
      .map((each) => each.process);
  const close = async () => {
    for (const each of closing.splice(0).toReversed()) await each();
  };
  try {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'framegate-pc-product-')));
    closing.push(() => rm(folder, { recursive: true }));
    await installProduct(folder);
    const [database, own] = [createTestDatabase(), createTestDatabase()];
    closing.push(
      () => database.drop(),
      () => own.drop(),
    );
    const limits = join(folder, 'limits.json');
    await writeFile(limits, JSON.stringify(plenty));
    const gateway = await openFaultWorld({
      uri: database.uri,
      timings: quickTimings,
      env: { LIMITS_FILE: limits },
    });
    closing.push(() => gateway.close());
    const admin = (...command: string[]) =>
      runNode(['gateway/src/admin.ts', ...command], {
        MONGODB_URI: database.uri,
        DATA_DIR: dirname(gateway.files.folder),
      });

    let turn = 0;
    const line = await startFaultyProxy(() => {
      const up = alive('api');
      turn += 1;
      const next = up[turn % Math.max(1, up.length)];
      return (next && operatorOrigins.get(next)) ?? '';
    });
    closing.push(() => line.close());
    const shopUrl = `http://127.0.0.1:${await freePort()}`;
    const payments = await startPaymentProvider(`${shopUrl}/payment-events`, chance);
    closing.push(() => payments.close());
    const settings = {
      MONGODB_URI: faultyUri(own.uri),
      SHOP_URL: shopUrl,
      SHOP_SECRET: 'shop-test-secret',
      PAYMENTS_URL: payments.url,
      PAYMENTS_KEY: payments.key,
      PAYMENTS_SECRET: payments.secret,
      FRAMEGATE_OPERATOR_URL: `${line.origin}/operator/v1`,
      FRAMEGATE_OPERATOR_KEY: await makeKey(admin),
    };
    const start = async (part: Part): Promise<GatewayProcess> => {
      if (part === 'product') return startProduct(folder, settings);
      if (part === 'worker') return gateway.start({ ROLE: 'worker' });
      const port = String(await freePort());
      const started = await gateway.start({ ROLE: 'api', OPERATOR_PORT: port });
      operatorOrigins.set(started, `http://127.0.0.1:${port}`);
      return started;
    };
    const add = async (part: Part) => {
      members.push({ part, process: await start(part) });
    };
    const oldest = (part: Part) => {
      const [first] = alive(part);
      if (!first) throw new Error(`no ${part} lives`);
      return first;
    };
    closing.push(() => Promise.all(alive('product').map((each) => each.stop())));
    for (const part of ['api', 'worker'] as const) await Promise.all([add(part), add(part)]);
    await add('product');
    return {
      gateway,
      payments,
      line,
      shopUrl,
      productUri: own.uri,
      alive,
      add,
      async kill(part) {
        const victim = oldest(part);
        victim.signal('SIGKILL');
        await victim.ended;
        killed += 1;
        await add(part);
      },
      kills: () => killed,
      async roll(part) {
        const former = oldest(part);
        // The product has a single URL.
        if (part !== 'product') await add(part);
        await former.stop();
        if (part === 'product') await add(part);
        return former.ended;
      },
      printed: () =>
        members.flatMap((each) => (each.part === 'product' ? [each.process.log()] : [])).join(''),
      statement: () => runNode([join(folder, 'src/statement.ts')], settings),
      admin,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Copies the product to a folder, with the client as npm would serve it. */
async function installProduct(folder: string): Promise<void> {
  await packInto(folder, join(projectRoot, 'integrations/operator'));
  for (const name of ['src', 'package.json']) {
    await cp(join(product, name), join(folder, name), { recursive: true });
  }
  const manifestOf = async (of: string) =>
    JSON.parse(await readFile(join(of, 'package.json'), 'utf8')) as Manifest;
  const { dependencies = {} } = await manifestOf(product);
  for (const [name, version] of Object.entries(dependencies)) {
    const installed = join(folder, 'node_modules', name);
    if (!existsSync(installed)) {
      await mkdir(dirname(installed), { recursive: true });
      await symlink(join(projectRoot, 'node_modules', name), installed);
    }
    const found = (await manifestOf(installed)).version;
    if (found !== version && !version.startsWith('file:')) {
      throw new Error(`${name}: the product names ${version}, not ${found}`);
    }
  }
}

interface Manifest {
  version: string;
  dependencies?: Record<string, string>;
}

async function startProduct(cwd: string, env: Record<string, string>): Promise<GatewayProcess> {
  return startGatewayProcess(
    { ...env, NODE_COMPILE_CACHE: compiledFolder },
    {
      args: ['src/main.ts'],
      cwd,
      waitUntilReady: (child) =>
        new Promise((resolve) => {
          child.stdout?.on('data', (text: string) => {
            if (text.includes('The shop is at')) resolve(null);
          });
        }),
    },
  );
}

async function makeKey(admin: ProductWorld['admin']): Promise<string> {
  const scopes = operatorScopeNames.flatMap((scope) => ['--scope', scope]);
  const { stdout, stderr } = await admin('operator-key', 'create', '--name', 'shop', ...scopes);
  const { operator_key: key } = JSON.parse(stdout || '{}') as { operator_key?: string };
  if (key === undefined) throw new Error(`no operator key: ${stderr}`);
  return key;
}
