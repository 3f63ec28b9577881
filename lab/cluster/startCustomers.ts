import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../test/support/until.ts';
import type { ApiAccess, CustomerReport, CustomerTask } from './customerRecords.ts';

/**
 * Starts customers in a process of their own.
 * @param authority File with the certificate that they need.
 * @returns Ends their orders: resolves when each has its end.
 */
export async function startCustomers(
  authority: string,
  task: ApiAccess & { perSecond: { creates: number; reads: number } },
): Promise<() => Promise<CustomerReport>> {
  const { child, report } = await start<CustomerReport>(authority, task);
  return () => {
    child.send('stop');
    return report;
  };
}

/** Reads a generation and downloads its file. @returns The file's bytes. */
export async function fetchAgain(
  authority: string,
  task: ApiAccess & { id: string },
): Promise<number> {
  const { report } = await start<number>(authority, task);
  return report;
}

async function start<T>(authority: string, task: CustomerTask) {
  await until(() => existsSync(authority), 'the proxy has a certificate');
  const child = spawn(process.execPath, [join(import.meta.dirname, 'customerProcess.ts')], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, NODE_EXTRA_CA_CERTS: authority },
  });
  const ended = once(child, 'exit').then(([status]) => {
    throw new Error(`the customers' process ended with ${String(status)}`);
  });
  const report = Promise.race([once(child, 'message').then(([word]) => word as T), ended]);
  report.catch(() => undefined);
  child.send(task);
  return { child, report };
}
