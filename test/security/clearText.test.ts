import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createSmtpMailer } from '../../gateway/src/adapters/mail/mailers.ts';
import { loadConfig } from '../../gateway/src/config.ts';
import { clearTextWarnings } from '../../gateway/src/settings/clearTextWarnings.ts';
import { startTestGateway } from '../support/gateway.ts';
import { collectLog } from '../support/mongod.ts';
import { temporaryFolder } from './temporaryFolder.ts';

/*
 * The attack: someone on the way reads the gateway's traffic with its database, its store, its providers or its
 * mail server, or strips its encryption.
 */

const folder = temporaryFolder();
const routes = (provider: object) => {
  const path = join(folder(), 'routes.json');
  writeFileSync(path, JSON.stringify({ providers: { p: provider }, models: { 'beta-3.0': [] } }));
  return { ROUTES_FILE: path };
};
const s3 = (endpoint: string) => ({
  MEDIA_STORE: 's3',
  S3_BUCKET: 'media',
  S3_ENDPOINT: endpoint,
});

describe('the start warns of clear text to', () => {
  test.each<[string, () => Record<string, string>]>([
    ['MONGODB_URI', () => ({ MONGODB_URI: 'mongodb://user:pw@db.example/x?replicaSet=rs0' })],
    ['MONGODB_URI', () => ({ MONGODB_URI: 'mongodb://10.0.0.1,8.8.8.8:27017/x?tls=false' })],
    ['MONGODB_URI', () => ({ MONGODB_URI: 'mongodb+srv://db.example/x?tls=false' })],
    ['S3_ENDPOINT', () => s3('http://s3.example:9000')],
    ['The provider p', () => routes({ baseURL: 'http://api.example/v3' })],
    ['The provider p', () => routes({ options: { baseURL: 'http://8.8.8.8/v1' } })],
    [
      'The provider p',
      () => routes({ rewriteOrigins: { 'https://a.example': 'http://proxy.example' } }),
    ],
  ])('%s', (what, env) => {
    expect(clearTextWarnings(loadConfig(env()))).toEqual([expect.stringContaining(what)]);
  });

  test.each<[string, () => Record<string, string>]>([
    ['nothing', () => ({})],
    [
      'TLS',
      () => ({ MONGODB_URI: 'mongodb://db.example/x?tls=true', ...s3('https://s3.example') }),
    ],
    ['TLS by its scheme', () => ({ MONGODB_URI: 'mongodb+srv://db.example/x' })],
    [
      'this machine',
      () => ({ MONGODB_URI: 'mongodb://127.0.0.1,[::1]:27018/x', ...s3('http://localhost:9000') }),
    ],
    [
      'the private network',
      () => ({ MONGODB_URI: 'mongodb://mongo:27017,10.1.2.3/x', ...s3('http://minio:9000') }),
    ],
    [
      'a proxy next to it',
      () => routes({ rewriteOrigins: { 'https://a.example': 'http://proxy.internal' } }),
    ],
  ])('but not of %s', (_, env) => {
    expect(clearTextWarnings(loadConfig(env()))).toEqual([]);
  });
});

test('the warning is in the log of the start', async () => {
  const { log, lines } = collectLog();
  const keys = { S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' };
  const env = { ROLE: 'api', ...s3('http://s3.example:9000'), ...keys };
  const gateway = await startTestGateway(env, undefined, log);
  await gateway.stop();
  expect(lines.join('\n')).toContain('S3_ENDPOINT is an http address');
});

describe('mail', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  test('is not sent if the server, or someone on the way, offers no TLS', async () => {
    let heard = '';
    const server = createServer((socket) => {
      socket.on('error', () => undefined).write('220 test\r\n');
      socket.on('data', (chunk) => {
        heard += chunk.toString();
        socket.write(chunk.toString().startsWith('STARTTLS') ? '454 no TLS\r\n' : '250 ok\r\n');
      });
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    // An address of this machine that is not loopback, which needs no TLS.
    const smtpUrl = `smtp://[::ffff:127.0.0.1]:${port}`;
    const mailer = await createSmtpMailer({ smtpUrl, from: 'no-reply@account.example' });
    const text = 'Your code is 1234 5678';
    const mail = { id: 'mail_1', to: 'ada@example.com', subject: 'Your code', text, html: text };
    const refused = { ok: false, isFinal: false, problem: 'ETLS 454' };
    expect(await mailer.deliver(mail)).toEqual(refused);
    mailer.close();
    expect(heard).toContain('STARTTLS');
    expect(heard).not.toMatch(/MAIL FROM|1234/);
  });
});
