import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { signUpVerified } from './support/signUpVerified.ts';
import { createVisitor, type Visitor } from './support/visitor.ts';

let gateway: TestGateway;
let ada: Visitor;

beforeAll(async () => {
  gateway = await startTestGateway();
  ada = createVisitor(gateway.origin);
  await signUpVerified(ada, gateway.dataDir, 'ada@example.com');
});
afterAll(async () => {
  await gateway.stop();
  expect(gateway.errors).toEqual([]);
});

const part = (head: string, body = '') => `--b\r\n${head}\r\n\r\n${body}\r\n`;
const field = (name: string, value = '') =>
  part(`Content-Disposition: form-data; name="${name}"`, value);

/** Begins a form of this many bytes. @returns The first bytes of the response. */
function begin(visitor: Visitor, bytes: number, body = ''): Promise<string> {
  const { hostname, port } = new URL(gateway.origin);
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const socket = connect(Number(port), hostname);
  socket.write(
    `POST /studio HTTP/1.1\r\nHost: ${hostname}:${port}\r\nCookie: ${cookie}\r\n` +
      'Sec-Fetch-Site: same-origin\r\nContent-Type: multipart/form-data; boundary=b\r\n' +
      `Content-Length: ${bytes}\r\n\r\n${body}`,
  );
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('data', (response) => {
      socket.destroy();
      resolve(response.toString('latin1'));
    });
  });
}

test('a form with files from a stranger is refused before any byte of it arrives', async () => {
  expect(await begin(createVisitor(gateway.origin), 60_000_000)).toMatch(/^HTTP\/1\.1 403 /);
});

test('a form without files is kept over a sign-in, like any other', async () => {
  const stranger = createVisitor(gateway.origin);
  const token = (await stranger.get('/sign-in')).field('form_token');
  const form = `${field('form_token', token) + field('prompt', 'a long thought')}--b--\r\n`;
  expect(await begin(stranger, form.length, form)).toMatch(/^HTTP\/1\.1 401 /);
});

describe('of an account', () => {
  test.each([
    ['empty parts', 400, part('X: y').repeat(400)],
    ['fields', 400, field('a').repeat(400)],
    ['a head of a part without end', 413, `--b\r\nX: ${'y'.repeat(700_000)}`],
    ['text before the parts', 413, '-'.repeat(700_000)],
  ])('a form is refused for its %s before the rest arrives', async (_, status, body) => {
    expect((await begin(ada, 60_000_000, body)).slice(9, 12)).toBe(String(status));
  });

  test('forms with files are counted by their size before they are read', async () => {
    // Few of them become free in the meantime.
    const forms = Array.from({ length: 20 }, () => begin(ada, 62_000_000, '-'.repeat(700_000)));
    const responses = await Promise.all(forms);
    expect(new Set(responses.map((response) => response.slice(9, 12)))).toEqual(
      new Set(['413', '429']),
    );
    const refused = responses.filter((response) => response.startsWith('HTTP/1.1 429 '));
    expect(refused[0]).toMatch(/\r\nretry-after: \d+\r\n/i);
    expect((await ada.get('/studio')).status).toBe(200);
  });
});
