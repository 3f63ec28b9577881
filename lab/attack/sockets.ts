import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { openForm } from './shots.ts';
import type { Target } from './target.ts';

/* Attacks without a flood of requests: slow or endless ones, and responses that no one reads. */

type Statuses = Record<string, number>;

/** The statuses of a row whose requests never end: one success per connection. */
const openedStatuses = (count: number): Statuses => ({ 200: count });

function open({ origins, localAddress }: Target): Socket {
  const socket = connect({
    port: Number(new URL(origins.gateway).port),
    host: '127.0.0.1',
    localAddress,
  });
  socket.on('close', () => socket.destroy());
  return socket.on('error', () => socket.destroy());
}

const head = (target: Target, start: string, headers: Record<string, string>): string => {
  const lines = Object.entries({ host: new URL(target.origins.gateway).host, ...headers });
  return `${start} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n`;
};

/** Each connection sends a beginning, then a piece every second. */
export async function drip(
  target: Target,
  forMs: number,
  { connections, begin, piece }: { connections: number; begin: string; piece: string },
): Promise<Statuses> {
  const sockets = Array.from({ length: connections }, () => {
    const socket = open(target).resume();
    socket.write(begin);
    return socket;
  });
  await feedSlowly(sockets, forMs, piece);
  return openedStatuses(connections);
}

async function feedSlowly(sockets: readonly Socket[], forMs: number, piece: string): Promise<void> {
  for (let passed = 0; passed < forMs; passed += 1000) {
    for (const socket of sockets) if (!socket.destroyed && piece !== '') socket.write(piece);
    await pause(Math.min(1000, forMs - passed));
  }
  for (const socket of sockets) socket.destroy();
}

/** Sends half a create request. */
export const sendHalfRequests = (target: Target, forMs: number): Promise<Statuses> =>
  drip(target, forMs, {
    connections: 500,
    begin: `${head(target, 'POST /v1/images', { 'content-length': '100' })}\r\n{`,
    piece: '',
  });

/** Sends a byte of a header every second. */
export const sendSlowHeaders = (target: Target, forMs: number): Promise<Statuses> =>
  drip(target, forMs, {
    connections: 200,
    begin: `${head(target, 'GET /healthz', {})}X-A: `,
    piece: 'a',
  });

/** Sends requests on each connection, and reads nothing. */
export async function leaveUnread(
  target: Target,
  forMs: number,
  load: { path: string; headers?: Record<string, string>; connections: number; times: number },
): Promise<Statuses> {
  const { path, headers = {}, connections, times } = load;
  const request = `${head(target, `GET ${path}`, headers)}\r\n`;
  const sockets = Array.from({ length: connections }, () => {
    const socket = open(target).pause();
    socket.write(request.repeat(times));
    return socket;
  });
  await pause(forMs);
  for (const socket of sockets) socket.destroy();
  return openedStatuses(connections);
}

/** A form of the studio with one file, as a browser sends it. @param file In base64. */
export async function uploadForm(
  { origins }: { origins: Pick<Target['origins'], 'gateway'> },
  cookie: string,
  file: string,
): Promise<{ headers: Record<string, string>; body: Buffer }> {
  const browser = await openForm(origins.gateway, '/studio', cookie);
  const field = (name: string, value: string) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const fields = {
    form_token: browser.token,
    do: 'update',
    model: 'alpha-2.0-fast',
    mode: 'image-to-video',
    prompt: 'drift',
  };
  const texts = Object.entries(fields).map(([name, value]) => field(name, value));
  const fileHead =
    '--b\r\nContent-Disposition: form-data; name="file.first_frame"; filename="a"\r\nContent-Type: image/webp\r\n\r\n';
  return {
    headers: {
      cookie: browser.cookie,
      'sec-fetch-site': 'same-origin',
      'content-type': 'multipart/form-data; boundary=b',
    },
    body: Buffer.concat([
      Buffer.from(texts.join('') + fileHead),
      Buffer.from(file, 'base64'),
      Buffer.from('\r\n--b--\r\n'),
    ]),
  };
}

/** Sends two files per account, a byte a second. */
export async function sendSlowUploads(target: Target, forMs: number): Promise<Statuses> {
  const cookies = target.people.flatMap(({ cookies: { customer } }) => [customer, customer]);
  const sockets = await Promise.all(
    cookies.map(async (cookie) => {
      const one = Buffer.from('x').toString('base64');
      const { headers, body } = await uploadForm(target, cookie, one);
      const socket = open(target).resume();
      socket.write(
        `${head(target, 'POST /studio', { ...headers, 'content-length': '10000' })}\r\n`,
      );
      socket.write(body.subarray(0, body.indexOf('\r\n--b--')));
      return socket;
    }),
  );
  await feedSlowly(sockets, forMs, 'x');
  return openedStatuses(sockets.length);
}

/** Two accounts upload a file with very many pixels, two at a time each. */
export async function sendHugeUploads(target: Target, forMs: number): Promise<Statuses> {
  const until = performance.now() + forMs;
  const statuses: Statuses = {};
  const [first, second = first] = target.people;
  const cookies = [first, first, second, second].map(({ cookies: { customer } }) => customer);
  await Promise.all(
    cookies.map(async (cookie) => {
      while (performance.now() < until) {
        const { headers, body } = await uploadForm(target, cookie, target.hugePicture);
        const sent = { method: 'POST', headers, body };
        const response = await fetch(`${target.origins.gateway}/studio`, sent);
        await response.arrayBuffer();
        statuses[response.status] = (statuses[response.status] ?? 0) + 1;
      }
    }),
  );
  return statuses;
}

const emptyPart = '--b\r\nX: y\r\n\r\n\r\n';

/** Two connections send forms of 60 MB of empty parts, without a sign-in, as fast as they are taken. */
export async function emptyParts(target: Target, forMs: number): Promise<Statuses> {
  const until = performance.now() + forMs;
  const statuses: Statuses = {};
  const sendAll = async () => {
    while (performance.now() < until) {
      const status = await sendParts(target, until);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  await Promise.all([sendAll(), sendAll()]);
  return statuses;
}

/** @returns The status of the response; `none` without one. */
function sendParts(target: Target, until: number): Promise<string> {
  const piece = emptyPart.repeat(4_000);
  const socket = open(target);
  const headers = {
    'sec-fetch-site': 'same-origin',
    'content-type': 'multipart/form-data; boundary=b',
    'content-length': '60000000',
  };
  socket.write(`${head(target, 'POST /studio', headers)}\r\n`);
  let left = 60_000_000;
  const sendMore = () => {
    while (left > piece.length && !socket.destroyed) {
      left -= piece.length;
      if (!socket.write(piece)) return;
    }
    if (left > 0 && !socket.destroyed) socket.write(piece.slice(0, left));
    left = 0;
  };
  socket.on('drain', sendMore);
  sendMore();
  return new Promise((resolve) => {
    const timer = setTimeout(() => socket.destroy(), Math.max(0, until - performance.now()));
    socket.once('data', (response: Buffer) => {
      resolve(response.toString('latin1').slice(9, 12));
      socket.destroy();
    });
    socket.once('close', () => {
      clearTimeout(timer);
      resolve('none');
    });
  });
}
