import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { listed } from '../figures.ts';
import { create, flood, type Attack, type Target } from './attack.ts';

/* Attacks with bodies and answers: large or slow ones, by the API, over MCP, and in forms of the studio. */

const names = JSON.stringify(
  Object.fromEntries(Array.from({ length: 26_000 }, (_, index) => [index.toString(36), 0])),
);
const emptyObjects = `[${'{},'.repeat(86_000)}{}]`;
const emptyPart = '--b\r\nX: y\r\n\r\n\r\n';

export const bodyAttacks: readonly Attack[] = [
  {
    what: '4 connections create with bodies of 26,000 names',
    play: (target, forMs) =>
      flood(target, forMs, () => ({ ...create(target.apiKey), body: names }), 4),
  },
  {
    what: '4 connections call an unknown tool over MCP with 258 KB',
    play: (target, forMs) =>
      flood(
        target,
        forMs,
        () => {
          const shot = create(target.apiKey);
          const accept = 'application/json, text/event-stream';
          const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nothing","arguments":{"a":${emptyObjects}}}}`;
          return { ...shot, path: '/mcp', headers: { ...shot.headers, accept }, body: call };
        },
        4,
      ),
  },
  {
    what: '4 connections search 2,000 long prompts of their own for 200 letters',
    needsHistory: true,
    play: (target, forMs) => {
      const query = new URLSearchParams({ q: `${'a'.repeat(199)}b` });
      const headers = { cookie: target.sessions[0] ?? '' };
      return flood(
        target,
        forMs,
        () => ({ method: 'GET', path: `/history?${query.toString()}`, headers }),
        4,
      );
    },
  },
  {
    what: '2 connections send forms of 60 MB of empty parts, without a sign-in',
    play: async ({ origin }, forMs) => {
      const until = performance.now() + forMs;
      const answers: Record<string, number> = {};
      async function sendAll(): Promise<void> {
        while (performance.now() < until) {
          const status = await sendParts(origin, until);
          answers[status] = (answers[status] ?? 0) + 1;
        }
      }
      await Promise.all([sendAll(), sendAll()]);
      return listed(answers);
    },
  },
  {
    what: 'four accounts send two files each, a byte a second',
    watchesUploads: true,
    play: async (target, forMs) => {
      const opened = target.sessions.flatMap((cookie) => [cookie, cookie]);
      const sockets = await Promise.all(opened.map((cookie) => beginUpload(target, cookie)));
      for (let passed = 0; passed < forMs; passed += 1000) {
        for (const socket of sockets) if (!socket.destroyed) socket.write('x');
        await pause(1000);
      }
      return closedOf(sockets);
    },
  },
  {
    what: '300 connections ask for the API document 150 times each and read nothing',
    play: async ({ origin }, forMs) => {
      const { port, host } = new URL(origin);
      const asked = `GET /v1/openapi.json HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(150);
      const sockets = Array.from({ length: 300 }, () => {
        const socket = open(Number(port)).pause();
        socket.write(asked);
        return socket;
      });
      await pause(forMs);
      return closedOf(sockets);
    },
  },
  {
    what: 'two accounts upload a WebP of 1.6 KB with 6,300 x 6,300 pixels, two at a time',
    watchesUploads: true,
    play: async (target, forMs) => {
      const until = performance.now() + forMs;
      const answers: Record<string, number> = {};
      async function upload(cookie: string): Promise<void> {
        while (performance.now() < until) {
          const { headers, body } = await uploadForm(target, cookie, target.hugePicture);
          const answer = await fetch(`${target.origin}/studio`, { method: 'POST', headers, body });
          await answer.arrayBuffer();
          answers[answer.status] = (answers[answer.status] ?? 0) + 1;
        }
      }
      const [first = '', second = ''] = target.sessions;
      await Promise.all([first, first, second, second].map(upload));
      return listed(answers);
    },
  },
];

/** A form of the studio with one file, as a browser sends it. @param file In base64. */
export async function uploadForm(
  { origin }: Pick<Target, 'origin'>,
  cookie: string,
  file: string,
): Promise<{ headers: Record<string, string>; body: Buffer }> {
  const page = await fetch(`${origin}/studio`, { headers: { cookie } });
  const own = page.headers.getSetCookie().map((each) => each.split(';', 1)[0]);
  const token = /name="form_token" value="([^"]+)"/.exec(await page.text())?.[1];
  if (token === undefined) throw new Error(`the studio has no form: ${page.status}`);
  const field = (name: string, value: string) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const fields = {
    form_token: token,
    do: 'update',
    model: 'alpha-2.0-fast',
    mode: 'image-to-video',
  };
  const head = Object.entries({ ...fields, prompt: 'drift' }).map(([name, value]) =>
    field(name, value),
  );
  const fileHead =
    '--b\r\nContent-Disposition: form-data; name="file.first_frame"; filename="a"\r\nContent-Type: image/webp\r\n\r\n';
  const bytes = Buffer.from(file, 'base64');
  return {
    headers: {
      cookie: [cookie, ...own].join('; '),
      'sec-fetch-site': 'same-origin',
      'content-type': 'multipart/form-data; boundary=b',
    },
    body: Buffer.concat([
      Buffer.from(head.join('') + fileHead),
      bytes,
      Buffer.from('\r\n--b--\r\n'),
    ]),
  };
}

/** Sends a form up to the first byte of its file. */
async function beginUpload(target: Target, cookie: string): Promise<Socket> {
  const { headers, body } = await uploadForm(target, cookie, Buffer.from('x').toString('base64'));
  const { port, host } = new URL(target.origin);
  const lines = Object.entries({ host, ...headers, 'content-length': '10000' });
  const socket = open(Number(port)).resume();
  socket.write(
    `POST /studio HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n`,
  );
  socket.write(body.subarray(0, body.indexOf('\r\n--b--')));
  return socket;
}

/** Sends 60 MB of empty parts, as fast as they are taken, until an answer comes. @returns its status. */
function sendParts(origin: string, until: number): Promise<string> {
  const { port, host } = new URL(origin);
  const piece = emptyPart.repeat(4_000);
  const socket = open(Number(port));
  socket.write(
    `POST /studio HTTP/1.1\r\nHost: ${host}\r\nSec-Fetch-Site: same-origin\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 60000000\r\n\r\n`,
  );
  let left = 60_000_000;
  const more = () => {
    while (left > piece.length && !socket.destroyed) {
      left -= piece.length;
      if (!socket.write(piece)) return;
    }
    if (left > 0 && !socket.destroyed) socket.write(piece.slice(0, left));
    left = 0;
  };
  socket.on('drain', more);
  more();
  return new Promise((resolve) => {
    const timer = setTimeout(() => socket.destroy(), Math.max(0, until - performance.now()));
    socket.once('data', (answer: Buffer) => {
      resolve(answer.toString('latin1').slice(9, 12));
      socket.destroy();
    });
    socket.once('close', () => {
      clearTimeout(timer);
      resolve('none');
    });
  });
}

/** Connects from an address of its own: the gateway closes connections of an address that floods it. */
function open(port: number): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' });
  return socket.on('error', () => socket.destroy());
}

/** Drains the sockets first, because one that is not read does not notice that it was closed. */
async function closedOf(sockets: readonly Socket[]): Promise<string> {
  for (const socket of sockets) socket.resume();
  await pause(1000);
  const closed = sockets.filter(({ destroyed }) => destroyed).length;
  for (const socket of sockets) socket.destroy();
  return `${closed} of ${sockets.length} closed`;
}
