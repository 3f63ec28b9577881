import { cp, mkdtemp, readFile, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { minuteMs } from '@framegate/contract';
import type { LedgerEntry } from '../../integrations/operator/src/index.ts';
import { commandsPlayedBy } from '../docs/playedCommands.ts';
import { type GatewayProcess, startGatewayProcess } from '../faults/startGatewayProcess.ts';
import { freePort } from '../support/freePort.ts';
import { projectRoot } from '../support/runNode.ts';
import { mustRun } from '../support/runProgram.ts';
import { until } from '../support/until.ts';
import { createShopper, type Shopper } from './shopper.ts';

/* `npm run demo` as a visitor runs it, and the sample's own installation. */

let folder: string;
let ports: Record<'PORT' | 'OPERATOR_PORT' | 'SHOP_PORT' | 'PAYMENTS_PORT', string>;
let demo: GatewayProcess;
let shopper: Shopper;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'framegate-demo-')));
  const port = async () => String(await freePort());
  ports = {
    PORT: await port(),
    OPERATOR_PORT: await port(),
    SHOP_PORT: await port(),
    PAYMENTS_PORT: await port(),
  };
  demo = await startGatewayProcess(
    // Production settings, as in a possible .env: the demo does not touch their database and providers.
    {
      ...ports,
      DATA_DIR: join(folder, 'data'),
      MONGODB_URI: 'mongodb://127.0.0.1:1/real',
      ROUTES_FILE: '/nowhere/routes.json',
    },
    {
      args: ['scripts/demo/main.ts'],
      cwd: projectRoot,
      waitUntilReady: (child) =>
        new Promise((resolve) => {
          child.stdout?.on('data', (text: string) => {
            if (text.includes('The demo is running')) resolve(null);
          });
        }),
    },
  );
  const shopUrl = `http://127.0.0.1:${ports.SHOP_PORT}`;
  shopper = createShopper({ shopUrl, printed: () => demo.log() }, 'ada@customers.example');
});

afterAll(async () => {
  await demo.stop();
  await rm(folder, { recursive: true, force: true });
});

const payments = (path: string) => `http://127.0.0.1:${ports.PAYMENTS_PORT}${path}`;

/** Presses a button of the payments' page. @returns The page that it leads to. */
async function press(path: string): Promise<string> {
  const response = await fetch(payments(path), { method: 'POST' });
  expect(response.status).toBe(200);
  return response.text();
}

/** Buys a pack and pays at the checkout. @returns The payment's id. */
async function buy(pack: string): Promise<string> {
  const { pathname } = new URL(await shopper.choose(pack));
  const checkout = await (await fetch(payments(pathname))).text();
  expect(checkout).toContain(`${pack} credits`);
  await press(pathname);
  return pathname.split('/').at(-1) ?? '';
}

const untilShown = (text: string) =>
  until(async () => (await shopper.page()).includes(text), text, minuteMs);

/** Kinds and amounts of all entries of the gateway's ledger, sorted, without the demo account's. */
async function booked(): Promise<string[]> {
  const key = (await readFile(join(folder, 'data/shop-key'), 'utf8')).trim();
  const url = `http://127.0.0.1:${ports.OPERATOR_PORT}/operator/v1/ledger`;
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  const { data } = (await response.json()) as { data: LedgerEntry[] };
  const ofShop = data.filter(({ reason }) => reason !== 'demo account');
  return ofShop.map(({ kind, amount }) => `${kind} ${amount}`).sort();
}

test('purchase, video, refund and dispute are booked once, although each event is sent three times', async () => {
  await shopper.signIn();
  const [first, second, third] = [await buy('50'), await buy('200'), await buy('50')];
  await untilShown('has 300 credits');
  await shopper.order('a paper boat', 2);
  await untilShown('completed');
  const spent = 300 - Number(/has (\d+) credits/.exec(await shopper.page())?.[1]);
  expect(spent).toBeGreaterThan(0);
  await press(`/payments/${second}/refund`);
  await untilShown(`has ${100 - spent} credits`);
  await press(`/payments/${third}/dispute`);
  await untilShown(`has ${50 - spent} credits`);
  for (const id of [first, second, third]) {
    const page = await press(`/payments/${id}/send-again`);
    expect(page).not.toMatch(/answered (?!204)/);
  }
  // Booked after all copies: once it is visible, anything that they booked twice would be visible.
  await press(`/payments/${first}/refund`);
  await untilShown('has 0 credits');
  expect(await booked()).toEqual(
    [
      ...['grant 50', 'grant 200', 'grant 50', `charge ${-spent}`],
      ...['adjustment -200', 'adjustment -50', `adjustment ${spent - 50}`],
    ].sort(),
  );
});

test('its end ends every part', async () => {
  await demo.stop();
  expect(await demo.ended).toBe('0');
  for (const port of Object.values(ports)) {
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow('fetch failed');
  }
});

test('the sample installs in its own folder, with the client of the clone', async () => {
  const files = await mustRun('git', [
    ...['ls-files', '-co', '--exclude-standard', '--'],
    ...['docs/examples/pc-product', 'integrations/operator'],
  ]);
  for (const file of files.trim().split('\n')) {
    await cp(join(projectRoot, file), join(folder, file), { recursive: true });
  }
  await symlink(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));
  const cwd = join(folder, 'docs/examples/pc-product');
  const page = 'docs/examples/pc-product/README.md';
  for (const command of commandsPlayedBy('test/pcProduct/demo.acceptance.ts', page)) {
    await mustRun('sh', ['-c', command], { cwd });
  }
  const program =
    "process.stdout.write(typeof (await import('@framegate/operator')).FramegateOperator)";
  const args = ['--input-type=module', '-e', program];
  expect(await mustRun(process.execPath, args, { cwd })).toBe('function');
});
