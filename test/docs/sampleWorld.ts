import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import sharp from 'sharp';
import { catalogue } from '@framegate/contract';
import { encodeTone, mux } from '../../gateway/media/test/makeMedia.ts';
import { createTlsAuthority } from '../media/tlsAuthority.ts';
import { arkProvider } from '../support/arkRoutes.ts';
import { startFakeArk } from '../support/fakeArk/fakeArk.ts';
import type { TestAccount } from '../support/gateway.ts';
import { startRoutedGateway } from '../support/startRoutedGateway.ts';
import { statedVideo } from '../support/statedSupport.ts';

/** A sample of the documentation. */
export interface DocsSample {
  /** The nearest heading above it. */
  title: string;
  /** `curl`, `TypeScript`, `Python`, `n8n`, or `` for one that is the same for all. */
  language: string;
  text: string;
}

/** A gateway with its own documentation, and with the files that its samples name. */
export interface SampleWorld {
  origin: string;
  folder: string;
  samples: readonly DocsSample[];
  addAccount(): Promise<TestAccount>;
  /** A sample that this account can run: its own generation replaces the example's. */
  runnable(sample: DocsSample, account: TestAccount): Promise<string>;
  stop(): Promise<void>;
}

const inputHost = 'assets.example.com';
const exampleId = 'gen_01kagw2m5t9x3q7r8v4c6e0hjn';

/** Starts a gateway whose videos a fake provider makes and whose images are previews. */
export async function startSampleWorld(): Promise<SampleWorld> {
  const [ark, folder, files] = await Promise.all([
    startFakeArk(),
    mkdtemp(join(tmpdir(), 'framegate-samples-')),
    serveInputs(),
  ]);
  const scripted = [
    { provider: 'ark', model: 'scripted', does: { ...statedVideo, realPerson: true } },
  ];
  const preview = [{ provider: 'preview', model: 'preview' }];
  const routes = {
    providers: { preview: { kind: 'preview-renderer' }, ark: arkProvider(ark) },
    models: Object.fromEntries(
      catalogue.map(({ id, type }) => [id, type === 'video' ? scripted : preview]),
    ),
  };
  const gateway = await startRoutedGateway(routes, {
    ARK_API_KEY: ark.apiKey,
    INPUT_HOST_OVERRIDES: `${inputHost}=127.0.0.1:${String(files.port)}`,
  });
  const page = await (await fetch(`${gateway.origin}/docs.md`)).text();
  return {
    origin: gateway.origin,
    folder,
    samples: samplesIn(page),
    addAccount: () => gateway.addAccount({ credits: 5000, hosts: [inputHost] }),
    async runnable({ text }, account) {
      if (!text.includes(exampleId)) return text;
      const { json } = await account.post('/v1/images', { model: 'image-b-2', prompt: 'A cup' });
      const id = String(json['id']);
      await account.untilEnded(id);
      return text.replaceAll(exampleId, id);
    },
    async stop() {
      await gateway.stop();
      await Promise.all([ark.close(), files.close(), rm(folder, { recursive: true })]);
    },
  };
}

/** The samples of the documentation's Markdown. */
function samplesIn(page: string): DocsSample[] {
  const parts = page.matchAll(/^#{2,4} (.+)$|(?:^(\w+):\n\n)?^```\w+\n([^]*?)^```$/gm);
  let title = '';
  return [...parts].flatMap(([, heading, language = '', text]) => {
    title = heading ?? title;
    return text === undefined ? [] : [{ title, language, text }];
  });
}

/** The customer's storage named by the samples: sounds and pictures, under a trusted certificate. */
async function serveInputs(): Promise<{ port: number; close(): Promise<void> }> {
  const before = getCACertificates('default');
  const authority = createTlsAuthority();
  setDefaultCACertificates([...before, authority.cert]);
  const audio = { codec: 'mp3', packets: await encodeTone('mp3', 1) } as const;
  const sound = await mux('mp3', { audio });
  const picture = await sharp({
    create: { width: 480, height: 480, channels: 3, background: '#357' },
  })
    .png()
    .toBuffer();
  const server = createServer(authority.issue(inputHost), ({ url = '' }, response) => {
    response.end(url.endsWith('.mp3') ? sound : picture);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      setDefaultCACertificates(before);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
