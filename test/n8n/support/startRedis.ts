import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { freePort } from '../../support/freePort.ts';
import { until } from '../../support/until.ts';

/** A Redis for a test, without persistence. */
export interface Redis {
  port: number;
  stop(): Promise<void>;
}

/** Starts Debian's redis-server on 127.0.0.1. @throws When there is none on this machine. */
export async function startRedis(): Promise<Redis> {
  const port = await freePort();
  const settings = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', tmpdir()];
  const child = spawn('redis-server', ['--port', String(port), ...settings], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const missing = once(child, 'error').then(([error]) => {
    throw new Error('Debian package redis-server is needed', { cause: error });
  });
  await Promise.race([until(() => responds(port), 'Redis answers'), missing]);
  return {
    port,
    async stop() {
      child.kill();
      await ended;
    },
  };
}

async function responds(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
