import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { Log } from '@framegate/contract';
import { createFolderMailer, createSmtpMailer } from '../../gateway/src/adapters/mail/mailers.ts';
import { startTestGateway } from '../support/gateway.ts';
import { until } from '../support/until.ts';
import { createVisitor } from './support/visitor.ts';

const mail = {
  to: 'ada@example.com',
  subject: 'Your code',
  text: 'Your code is 1234 5678\n',
  html: '<p>1234 5678</p>',
  link: 'https://account.example/confirm/cfm_1',
};

/** A mail server that takes one email, or refuses its recipient. */
function smtpServer(
  refuses: boolean,
): Promise<{ server: Server; url: string; got: Promise<string> }> {
  const received = Promise.withResolvers<string>();
  const server = createServer((socket) => {
    let text = '';
    let inData = false;
    socket.write('220 test\r\n');
    socket.on('data', (chunk) => {
      const said = chunk.toString();
      text += said;
      if (inData) {
        if (!text.endsWith('\r\n.\r\n')) return;
        inData = false;
        socket.write('250 taken\r\n');
        received.resolve(text);
      } else if (said.startsWith('DATA')) {
        inData = true;
        socket.write('354 go on\r\n');
      } else if (said.startsWith('RCPT') && refuses) {
        socket.write('550 no such mailbox\r\n');
      } else if (said.startsWith('QUIT')) {
        socket.end('221 bye\r\n');
      } else {
        socket.write('250 ok\r\n');
      }
    });
    socket.on('error', () => undefined);
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      resolve({ server, url: `smtp://127.0.0.1:${port}`, got: received.promise });
    });
  });
}

function lines(): { log: Log; entries: string[] } {
  const entries: string[] = [];
  const write = (fields: object, message: string) => {
    entries.push(`${message} ${JSON.stringify(fields)}`);
  };
  return { log: { debug: write, info: write, warn: write, error: write }, entries };
}

describe('emails', () => {
  const from = 'Framegate <no-reply@account.example>';

  test('go to the server of the operator, with the same id for each attempt', async () => {
    const { server, url, got } = await smtpServer(false);
    const mailer = await createSmtpMailer({ smtpUrl: url, from });
    expect(await mailer.check()).toBeNull();
    expect(await mailer.deliver({ id: 'mail_1', ...mail })).toEqual({ ok: true });
    const text = await got;
    expect(text).toContain('RCPT TO:<ada@example.com>');
    expect(text).toContain('Message-ID: <mail_1@account.example>');
    expect(text).toContain('Your code is 1234 5678');
    mailer.close();
    server.close();
  });

  test('that the server refuses permanently are logged by codes, without text or address', async () => {
    const { server, url } = await smtpServer(true);
    const mailer = await createSmtpMailer({ smtpUrl: url, from });
    const refused = { ok: false, isFinal: true, problem: 'EENVELOPE 550' };
    expect(await mailer.deliver({ id: 'mail_1', ...mail })).toEqual(refused);
    mailer.close();
    server.close();
  });

  test('to an unreachable server are retried', async () => {
    const mailer = await createSmtpMailer({ smtpUrl: 'smtp://127.0.0.1:1', from });
    const trouble = { ok: false, isFinal: false, problem: 'ESOCKET' };
    expect(await mailer.deliver({ id: 'mail_1', ...mail })).toEqual(trouble);
    expect(await mailer.check()).toBe('ESOCKET');
    mailer.close();
  });

  test('of a sign-up at an API process come from a worker process, and a missing server is reported at startup', async () => {
    const { server, url, got } = await smtpServer(false);
    const gateway = await startTestGateway({ SMTP_URL: url, ROLE: 'api' });
    const visitor = createVisitor(gateway.origin);
    await visitor.get('/sign-up');
    await visitor.post('/sign-up', { email: 'ada@example.com' });
    const { mails } = gateway.collections;
    expect(await mails.countDocuments()).toBe(1);
    const { MONGODB_URI = '' } = gateway.env;
    const shared = { SMTP_URL: url, MONGODB_URI, DATA_DIR: gateway.dataDir };
    const worker = await startTestGateway({ ...shared, ROLE: 'worker' });
    expect(await got).toMatch(/Your code is \d{4} \d{4}/);
    await until(async () => (await mails.countDocuments()) === 0);
    await worker.stop();
    await gateway.stop();
    server.close();
    expect([...gateway.errors, ...worker.errors]).toEqual([]);

    const { log, entries } = lines();
    const lonely = await startTestGateway({ SMTP_URL: 'smtp://127.0.0.1:1' }, undefined, log);
    const told = /^mail server in SMTP_URL does not accept emails.*ESOCKET/;
    await until(() => entries.some((line) => told.test(line)));
    await lonely.stop();
  });

  test('without a server become files for the owner, and the log has only the link', async () => {
    const folder = join(await mkdtemp(join(tmpdir(), 'framegate-mails-')), 'mails');
    const { log, entries } = lines();
    const clock = { now: () => Date.UTC(2026, 0, 1) };
    await createFolderMailer({ folder, from: 'no-reply@account.example' }, log, clock)(mail);
    const [name = ''] = await readdir(folder);
    const file = join(folder, name);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, 'utf8')).toContain('Your code is 1234 5678');
    expect(entries.join()).toContain(mail.link);
    expect(entries.join()).not.toMatch(/1234|ada@/);
    await rm(join(folder, '..'), { recursive: true });
  });
});
