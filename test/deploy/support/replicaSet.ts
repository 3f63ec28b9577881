import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { freePort } from '../../support/freePort.ts';
import { findTestMongod } from '../../support/mongod.ts';
import { until } from '../../support/until.ts';

/** Servers as in compose.yaml before the preparation step: without a replica set. */
export interface Members {
  /** host:port of each. */
  hosts: string[];
  close(): Promise<void>;
}

/** The administrator, known only to the first member. */
export const admin = { user: 'root', pwd: 'root-password: with signs/?@' };

async function end(server: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGKILL');
  await ended;
}

async function untilAnswers(host: string): Promise<void> {
  await until(async () => {
    const client = new MongoClient(`mongodb://${host}/?directConnection=true`, {
      serverSelectionTimeoutMS: 500,
    });
    return client
      .db('admin')
      .command({ ping: 1 })
      .then(() => true)
      .catch(() => false)
      .finally(() => client.close());
  });
}

/**
 * Starts three servers with a key file. As MongoDB's image does it, the first one is started without
 * access control before, and given its administrator.
 */
export async function startMembers(folder: string): Promise<Members> {
  const { path } = await findTestMongod();
  const keyFile = join(folder, 'key');
  writeFileSync(keyFile, 'a key of a test that all members have', { mode: 0o400 });
  const start = async (name: string, port: number, args: string[]) => {
    const data = join(folder, name);
    mkdirSync(data, { recursive: true });
    const own = ['--dbpath', data, '--port', String(port), '--bind_ip', '127.0.0.1'];
    const server = spawn(path, [...own, ...args], { stdio: 'ignore' });
    await untilAnswers(`127.0.0.1:${String(port)}`);
    return server;
  };
  const ports = [await freePort(), await freePort(), await freePort()];
  const [firstPort = 0] = ports;
  const first = await start('member0', firstPort, []);
  const client = new MongoClient(`mongodb://127.0.0.1:${String(firstPort)}/?directConnection=true`);
  const database = client.db('admin');
  await database.command({ createUser: admin.user, pwd: admin.pwd, roles: ['root'] });
  const ended = new Promise((resolve) => first.once('exit', resolve));
  await database.command({ shutdown: 1 }).catch(() => undefined);
  await client.close();
  await ended;
  const servers: ChildProcess[] = [];
  for (const [index, port] of ports.entries()) {
    const args = ['--replSet', 'rs0', '--keyFile', keyFile];
    servers.push(await start(`member${String(index)}`, port, args));
  }
  return {
    hosts: ports.map((port) => `127.0.0.1:${String(port)}`),
    async close() {
      await Promise.all(servers.map(end));
    },
  };
}
