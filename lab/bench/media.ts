import { createPrivateKey, randomBytes, X509Certificate } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pLimit from 'p-limit';
import sharp from 'sharp';
import { createManifestSigner, createMedia, type Media } from '@framegate/media';
import { encodeStripes, mux } from '../../gateway/media/test/makeMedia.ts';
import { createTlsAuthority } from '../../test/media/tlsAuthority.ts';
import { say } from '../figures.ts';
import { parseOptions } from '../options.ts';
import { readStat } from './costs.ts';

/**
 * `npm run bench:media -- [--files N] [--at-once N]`: processor time of one take-over, of its children and of the
 * gateway's own process, for a video of 5 s in 720p and an image of 1024 x 1024, with and without posters and
 * manifests, and how many are done in a second. Linux only.
 */
const { files, 'at-once': atOnce } = parseOptions({ files: 20, 'at-once': 1 }).values;

/** Processor time in ms of all children of this process, those that have ended among them. */
async function readChildrenMs(): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(pids.map(readStat));
  const { endedChildrenMs } = await readStat('self');
  return stats
    .filter(({ parent }) => parent === process.pid)
    .reduce((total, { ms }) => total + ms, endedChildrenMs);
}

const encoded = await encodeStripes('avc high', 5, [1280, 720]);
const video = Buffer.from(await mux('mp4', { video: { codec: 'avc', packets: encoded } }));
const width = 1024;
const height = 1024;
const noise = randomBytes(width * height * 3);
const image = await sharp(noise, { raw: { width, height, channels: 3 } })
  .blur(1)
  .png()
  .toBuffer();
const results = [
  { type: 'video', format: 'video/mp4', bytes: video },
  { type: 'image', format: 'image/png', bytes: image },
] as const;

async function measure(media: Media, { type, format, bytes }: (typeof results)[number]) {
  const [before, begun, own] = [await readChildrenMs(), performance.now(), process.cpuUsage()];
  const limit = pLimit(atOnce);
  const takeOver = async (file: number) => {
    const expected = { accountId: 'acct_1', type, format };
    const output = { read: async () => bytes };
    const key = `outputs/gen_${String(file)}/0.${format.split('/')[1] ?? ''}`;
    await media.storeOutput(key, output, expected, new AbortController().signal);
  };
  await Promise.all(Array.from(Array(files).keys(), (file) => limit(() => takeOver(file))));
  const perFile = (ms: number) => `${(ms / files).toFixed(0)} ms`;
  const [cost, tookMs] = [(await readChildrenMs()) - before, performance.now() - begun];
  const { user, system } = process.cpuUsage(own);
  const rate = `${((files / tookMs) * 1000).toFixed(1)} a second by the clock`;
  return `${perFile(cost)} of processor time and ${perFile((user + system) / 1000)} of its own, ${rate}`;
}

const root = await mkdtemp(join(tmpdir(), 'framegate-bench-media-'));
const fileLimits = {
  image: { maxBytes: 1, maxPixels: 1 },
  video: { maxBytes: 1, maxSeconds: 1 },
  audio: { maxBytes: 1, maxSeconds: 1 },
};
const { cert, key } = createTlsAuthority().issueForContent('Bench');
const signer = createManifestSigner(
  {
    chain: [new X509Certificate(cert).raw],
    key: createPrivateKey(key),
    algorithm: 'es256',
    generator: 'Framegate',
  },
  () => null,
);
const ways = [
  { name: 'without posters', types: [], manifestSigner: null },
  { name: 'with posters', types: ['video', 'image'], manifestSigner: null },
  { name: 'without posters, with manifests', types: [], manifestSigner: signer },
] as const;
for (const { name: way, types, manifestSigner } of ways) {
  const media = await createMedia({
    folder: root,
    s3: null,
    fileLimits,
    maxOutputBytes: { video: 1e9, image: 1e9 },
    inputKey: () => '',
    posters: {
      types,
      sizes: [320, 960].map((posterWidth) => ({
        width: posterWidth,
        posterKey: (place) =>
          place.replace('outputs/', `posters_${posterWidth}/`).replace(/\w+$/, 'webp'),
      })),
    },
    manifestSigner,
    fetchUrl: () => Promise.reject(new Error('nothing is fetched')),
    log: {
      warn: ({ error }: { error?: unknown }, message) => {
        say(`${message}: ${String(error)}`);
      },
    },
  });
  for (const result of results) {
    const name = `${result.type}, ${way}`;
    const mb = (result.bytes.length / 1e6).toFixed(2);
    say(`${name}, ${mb} MB: ${await measure(media, result)}`);
  }
}
await rm(root, { recursive: true });
