/**
 * A process that uses the embedded database: `node startDatabase.ts <dataDir> <mongod>`. Prints
 * `{"pid", "port", "uri"}` once it is ready, or `{"error"}`; a line on stdin makes it release the
 * database and end.
 */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { startEmbeddedMongod } from '@framegate/embedded-mongod';
import { collectLog } from '../support/mongod.ts';

const [dataDir = '', path = ''] = process.argv.slice(2);
try {
  const { log } = collectLog();
  const { pid, port, uri, release } = await startEmbeddedMongod({ dataDir, mongod: { path }, log });
  process.stdout.write(`${JSON.stringify({ pid, port, uri })}\n`);
  const input = createInterface({ input: process.stdin });
  input.once('line', () => {
    input.close();
  });
  await once(input, 'close');
  await release();
} catch (error) {
  process.stdout.write(`${JSON.stringify({ error: String(error) })}\n`);
}
