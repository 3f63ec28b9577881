import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CreateBucketCommand, HeadBucketCommand, S3Client } from '@aws-sdk/client-s3';
import type { S3StoreOptions } from '../../gateway/media/src/s3Store.ts';
import { freePort } from '../support/freePort.ts';
import { inTurn } from '../support/inTurn.ts';
import { until } from '../support/until.ts';

const run = promisify(execFile);
const cache = join(import.meta.dirname, '../../node_modules/.cache/framegate-s3');

/** An S3-compatible server on this machine, with an empty bucket. */
export interface S3Server {
  name: string;
  options: S3StoreOptions;
  /** Kills it; it is unreachable until `start`. */
  kill(): Promise<void>;
  /** Starts it again, on its files. @returns When it answers. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** A server from a package registry, and how it is started. */
interface Program {
  name: string;
  command: string;
  args(port: number, folder: string): string[];
}

/** Versity's gateway, a full server, from the Go module registry if Go is installed. */
async function versity(): Promise<Program> {
  const command = join(cache, 'versitygw');
  if (!existsSync(command)) {
    const env = { ...process.env, GOBIN: cache, GOTOOLCHAIN: 'local' };
    await run('go', ['install', 'github.com/versity/versitygw/cmd/versitygw@v1.8.0'], { env });
  }
  const keys = ['--access', accessKeyId, '--secret', secretAccessKey];
  return {
    name: 'versitygw 1.8.0',
    command,
    // Not every file system has extended attributes, so metadata goes into a folder of its own.
    args: (port, folder) => [
      ...['--port', `127.0.0.1:${String(port)}`, ...keys, '--quiet'],
      ...['--iam-dir', join(folder, 'iam'), 'posix'],
      ...['--sidecar', join(folder, 'sidecar'), join(folder, 'files')],
    ],
  };
}

/** Moto, which keeps everything in memory: from the Python package index. */
async function moto(): Promise<Program> {
  const folder = join(cache, 'moto');
  const command = join(folder, 'bin/moto_server');
  if (!existsSync(command)) {
    await run('python3', ['-m', 'venv', folder]);
    await run(join(folder, 'bin/pip'), ['install', '--quiet', 'moto[server]==5.2.5']);
  }
  return {
    name: 'moto 5.2.5',
    command,
    args: (port) => ['--host', '127.0.0.1', '--port', String(port)],
  };
}

const accessKeyId = 'framegate-test';
const secretAccessKey = 'framegate-test-secret';

/** @throws Error that names the package to install if neither server is available: nothing is skipped. */
async function install(): Promise<Program> {
  const withoutVersity = async (first: unknown) => {
    console.warn(`versitygw could not be installed, moto is used: ${String(first)}`);
    return moto().catch((second: unknown) => {
      const need = 'The S3 tests need Go, or python3 with venv and pip, and their package registry';
      throw new AggregateError([first, second], `${need}: ${String(first)}; ${String(second)}`);
    });
  };
  return versity().catch(withoutVersity);
}

/** Installs a server on the first call, which takes minutes, and starts it. */
export async function startS3Server(): Promise<S3Server> {
  await mkdir(cache, { recursive: true });
  const program = await inTurn(cache, install);
  const folder = await mkdtemp(join(tmpdir(), 'framegate-s3-'));
  for (const name of ['files', 'sidecar', 'iam']) await mkdir(join(folder, name));
  const port = await freePort();
  const options: S3StoreOptions = {
    bucket: 'framegate',
    region: 'us-east-1',
    prefix: 'media',
    forcePathStyle: true,
    endpoint: `http://127.0.0.1:${String(port)}`,
    credentials: { accessKeyId, secretAccessKey },
  };
  const { endpoint, region, credentials } = options;
  const client = new S3Client({
    region,
    forcePathStyle: true,
    maxAttempts: 1,
    ...(endpoint !== null && { endpoint }),
    ...(credentials && { credentials }),
  });
  const Bucket = options.bucket;
  let server: ChildProcess;
  const start = async (isThere: () => Promise<unknown>) => {
    server = spawn(program.command, program.args(port, folder), { stdio: 'ignore' });
    await until(async () => {
      if (server.exitCode !== null) throw new Error(`${program.name} ended at once`);
      return isThere().then(
        () => true,
        () => false,
      );
    });
  };
  const kill = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    server.kill('SIGKILL');
    await once(server, 'exit');
  };
  await start(() => client.send(new CreateBucketCommand({ Bucket })));
  return {
    name: program.name,
    options,
    kill,
    start: () => start(() => client.send(new HeadBucketCommand({ Bucket }))),
    async close() {
      client.destroy();
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
