/**
 * A process of its own that downloads mongod: `node downloadProcess.ts <folder> <version>`.
 * Of its own, because the downloader takes its settings from the environment, prints its progress to
 * stdout and cannot be cancelled. The last line of stdout is the path of the downloaded server;
 * a failure is one line on stderr and exit status 1.
 */
import { MongoBinary } from 'mongodb-memory-server-core';

// Both outcomes exit at once: the downloader leaves refused connections open, which would keep Node running.
const [downloadDir = '', version = ''] = process.argv.slice(2);
try {
  const path = await MongoBinary.getPath({ downloadDir, version });
  process.stdout.write(`\n${path}\n`, () => process.exit(0));
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  const line = message.split('\n', 2).join(' ');
  process.stderr.write(`${line}\n`, () => process.exit(1));
}
