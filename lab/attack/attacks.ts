import { randomBytes, randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { formatApiKey } from '../../gateway/src/domain/apiKey.ts';
import { createShot, type Shot } from '../bench/load.ts';
import { listed } from '../figures.ts';
import { imageInput, video } from '../../test/support/bodies.ts';
import { create, flood, type Attack, type HostileFile, type Target } from './attack.ts';
import { bodyAttacks } from './bodyAttacks.ts';

export const attacks: readonly Attack[] = [
  {
    what: '32 connections guess keys',
    play: (target, forMs) =>
      flood(target, forMs, () => get('/v1/credits/balance', formatApiKey(randomBytes(64)))),
  },
  {
    what: '32 connections guess the password of one account',
    play: async (target, forMs) => {
      const send = await browser(target, '/sign-in');
      return flood(target, forMs, () =>
        send({ email: 'victim@example.com', password: randomUUID() }),
      );
    },
  },
  {
    what: '32 connections ask for sign-up mails',
    play: async (target, forMs) => {
      const send = await browser(target, '/sign-up');
      return flood(target, forMs, () => send({ email: `${randomUUID()}@example.com` }));
    },
  },
  {
    what: '32 connections create for one account',
    play: (target, forMs) => flood(target, forMs, () => create(target.apiKey)),
  },
  {
    what: '32 connections repeat one create',
    play: (target, forMs) => flood(target, forMs, () => create(target.apiKey, 'the-same')),
  },
  {
    what: '32 connections read one generation',
    play: (target, forMs) =>
      flood(target, forMs, () =>
        get('/v1/generations/gen_00000000000000000000000000', target.apiKey),
      ),
  },
  {
    what: '32 connections send bodies of 1 MB that are no JSON',
    play: (target, forMs) =>
      flood(target, forMs, () => ({
        ...create(target.apiKey),
        body: '['.repeat(1_000_000),
      })),
  },
  {
    what: '500 connections send half a request and wait',
    play: async ({ origin }, forMs) => {
      const { port } = new URL(origin);
      const sockets = Array.from({ length: 500 }, () => halfRequest(Number(port)));
      await new Promise((resolve) => setTimeout(resolve, forMs));
      const closed = sockets.filter(({ destroyed }) => destroyed).length;
      for (const socket of sockets) socket.destroy();
      return `${closed} of 500 closed`;
    },
  },
  {
    what: 'ten creates with three sounds that are slow to read',
    play: (target) => createWith(target, 'audio', 'sound', 3),
  },
  {
    what: 'ten creates with a WebM of 400,000 clusters',
    play: (target) => createWith(target, 'video', 'clusters', 1),
  },
  {
    what: 'ten creates with an MP4 of 3,000 unknown codecs',
    play: (target) => createWith(target, 'video', 'codecs', 1),
  },
  ...bodyAttacks,
];

/** Ten creates whose inputs are one file so many times, beside a good picture. */
async function createWith(
  { origin, apiKey, files }: Target,
  type: 'video' | 'audio',
  file: HostileFile,
  times: number,
): Promise<string> {
  const url = files[file];
  const hostile = Array.from({ length: times }, () => ({ type, url, role: 'reference' }));
  const picture = imageInput(files.picture, { role: 'reference' });
  const body = video({
    model: 'alpha-2.0-pro',
    mode: 'multimodal-to-video',
    inputs: [picture, ...hostile],
  });
  const statuses: Record<string, number> = {};
  for (let creates = 0; creates < 10; creates += 1) {
    const shot = createShot(apiKey, '/v1/videos', body);
    const { status } = await fetch(origin + shot.path, shot);
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
  return listed(statuses);
}

const get = (path: string, apiKey: string): Shot => ({
  method: 'GET',
  path,
  headers: { authorization: `Bearer ${apiKey}` },
});

/** Opens a page with a form as a browser does. @returns A function that sends the form with its cookie and token. */
async function browser(
  { origin }: Target,
  path: string,
): Promise<(fields: Record<string, string>) => Shot> {
  const page = await fetch(origin + path);
  const cookie = page.headers.getSetCookie().map((each) => each.split(';', 1)[0]);
  const token = /name="form_token" value="([^"]+)"/.exec(await page.text())?.[1];
  if (token === undefined) throw new Error(`no form at ${path}`);
  return (fields) => ({
    method: 'POST',
    path,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
      cookie: cookie.join('; '),
    },
    body: new URLSearchParams({ form_token: token, ...fields }).toString(),
  });
}

function halfRequest(port: number): Socket {
  const socket = connect(port, '127.0.0.1', () => {
    socket.write('POST /v1/images HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{');
  });
  socket.on('error', () => socket.destroy());
  socket.on('close', () => socket.destroy());
  socket.resume();
  return socket;
}
