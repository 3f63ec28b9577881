import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dayMs, quantile } from '@framegate/contract';
import { createDiskStore } from '../../gateway/media/src/diskStore.ts';
import { completeSecrets } from '../../gateway/src/adapters/system/secretsFile.ts';
import { loadConfig } from '../../gateway/src/config.ts';
import { mediaKey, signOutputUrl } from '../../gateway/src/domain/generations/mediaUrl.ts';
import { freePort } from '../../test/support/freePort.ts';
import { head, row, say } from '../figures.ts';
import { parseOptions } from '../options.ts';
import {
  type BenchWorld,
  type StartedServer,
  waitUntilItAnswers,
  withBenchWorld,
} from './benchWorld.ts';
import { readStat } from './costs.ts';
import { load, type LoadRequest, videoShot } from './load.ts';
import { prepareAccounts } from './prepare.ts';

/**
 * `npm run bench:delivery -- [--seconds N] [--rounds N] [--connections N]`: processor time of a request
 * for a file from the gateway (`MEDIA_DELIVERY=proxy`, a disk store) compared with a plain Node server that streams the
 * same file, as a Markdown table. Alternating rounds; the ratios of their medians count. Linux only.
 */
const { values } = parseOptions({ seconds: 3, rounds: 7, connections: 4 });
const { rounds, connections } = values;
const forMs = values.seconds * 1000;

const fileBytes = 4 * 1024 * 1024;
const partBytes = 64 * 1024;

/** The highest ratio of the gateway's processor time to that of the plain server. */
const goals = { whole: 1.5, parts: 2 } as const;

/** A server with the file. */
interface FileServer extends StartedServer {
  /** Path and query of the file. */
  path: string;
}

async function startPlain(
  { dataDir, startScript }: BenchWorld,
  content: Buffer,
): Promise<FileServer> {
  const file = join(dataDir, 'plain.mp4');
  await writeFile(file, content);
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const child = startScript('plainFiles.ts', file, String(port));
  await waitUntilItAnswers(origin, child);
  return { origin, child, path: '/' };
}

/** Starts a gateway with a generation that has the file as its output. */
async function startGateway(
  { uri, dataDir, startApi }: BenchWorld,
  content: Buffer,
): Promise<FileServer> {
  const env = {
    MONGODB_URI: uri,
    DATA_DIR: dataDir,
    PORT: String(await freePort()),
    LOG_LEVEL: 'info',
    MEDIA_DELIVERY: 'proxy',
  };
  const [account] = await prepareAccounts(env, 1);
  const { origin, child } = await startApi(env);
  const create = videoShot(account?.apiKey ?? '');
  const created = await fetch(origin + create.path, create);
  const { id } = (await created.json()) as { id: string };
  const file = { generationId: id, index: 0, extension: 'mp4' };
  const options = { contentType: 'video/mp4', maxBytes: fileBytes };
  await createDiskStore(join(dataDir, 'media')).put(mediaKey('outputs', file), content, options);
  const config = loadConfig(env);
  const nowMs = Date.now();
  const { url } = signOutputUrl({
    ...file,
    mediaUrl: config.urls.media,
    signingKeys: completeSecrets(config.secrets, dataDir).mediaSigningKeys,
    nowMs,
    removedAt: nowMs + dayMs,
  });
  const { pathname, search } = new URL(url);
  return { origin, child, path: pathname + search };
}

/** Requests of the whole file, or of its parts at random places, like a player that seeks. */
const shots = {
  whole: (path: string): LoadRequest => ({ method: 'GET', path, headers: {} }),
  parts: (path: string): LoadRequest => {
    const from = Math.floor(Math.random() * (fileBytes - partBytes));
    const range = `bytes=${from}-${from + partBytes - 1}`;
    return { method: 'GET', path, headers: { range } };
  },
} as const;

/** Processor time of one request, in µs. */
async function measure(
  { origin, child, path }: FileServer,
  kind: keyof typeof shots,
): Promise<number> {
  const before = await readStat(child.pid ?? 0);
  const next = () => shots[kind](path);
  const { statuses } = await load({ origins: [origin], connections, forMs, next });
  const spentMs = (await readStat(child.pid ?? 0)).ms - before.ms;
  const right = kind === 'whole' ? '200' : '206';
  const { [right]: count = 0, ...others } = statuses;
  if (Object.keys(others).length > 0) throw new Error(`responses ${JSON.stringify(statuses)}`);
  return (spentMs * 1000) / count;
}

const loadAverage = async () => (await readFile('/proc/loadavg', 'utf8')).split(' ')[0] ?? '';

await withBenchWorld(async (world) => {
  const content = randomBytes(fileBytes);
  const plain = await startPlain(world, content);
  const gateway = await startGateway(world, content);
  say(`load average at the start: ${await loadAverage()}\n`);
  say(head(['requests', 'plain µs', 'gateway µs', 'ratio', 'goal', 'ratios of the rounds']));
  for (const kind of ['whole', 'parts'] as const) {
    const pairs: [plain: number, gateway: number][] = [];
    for (let round = 0; round <= rounds; round += 1) {
      const pair: [number, number] = [await measure(plain, kind), await measure(gateway, kind)];
      // The first only warms up.
      if (round > 0) pairs.push(pair);
    }
    const medianOf = (side: 0 | 1) =>
      quantile(
        pairs.map((pair) => pair[side]),
        0.5,
      );
    const [plainUs, gatewayUs] = [medianOf(0), medianOf(1)];
    const ratio = gatewayUs / plainUs;
    const each = pairs.map(([one, other]) => (other / one).toFixed(2)).join(' ');
    const name = kind === 'whole' ? 'whole files of 4 MiB' : 'parts of 64 KiB';
    say(row([name, plainUs.toFixed(0), gatewayUs.toFixed(0), ratio.toFixed(2), goals[kind], each]));
    if (ratio > goals[kind]) process.exitCode = 1;
  }
  say(`\nload average at the end: ${await loadAverage()}`);
});
