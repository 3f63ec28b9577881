/**
 * A process that looks for mongod with its own environment: `node findInProcess.ts <cacheDir>`. Prints
 * `{"found", "lines"}` or `{"error", "lines"}`.
 */
import { findMongod } from '@framegate/embedded-mongod';
import { collectLog } from '../support/mongod.ts';

const { log, lines } = collectLog();
const [cacheDir = ''] = process.argv.slice(2);
try {
  const found = await findMongod({ readVariable: (name) => process.env[name], cacheDir, log });
  process.stdout.write(JSON.stringify({ found, lines }));
} catch (error) {
  process.stdout.write(JSON.stringify({ error: String(error), lines }));
}
