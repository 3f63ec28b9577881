/**
 * Downloads mongod in a separate process: `node downloadProcess.ts <folder> <version>`. The downloader reads
 * its settings from the environment, prints progress to stdout and cannot be cancelled. The last line of
 * stdout is the path of the server; a failure is one line on stderr and exit status 1.
 */
import { MongoBinary } from 'mongodb-memory-server-core';
import { messageOf } from '@framegate/contract/text';

// Exits explicitly: the downloader leaves refused connections open, which would keep Node running.
const [downloadDir = '', version = ''] = process.argv.slice(2);
try {
  const path = await MongoBinary.getPath({ downloadDir, version });
  process.stdout.write(`\n${path}\n`, () => process.exit(0));
} catch (error) {
  const line = messageOf(error).split('\n', 2).join(' ');
  process.stderr.write(`${line}\n`, () => process.exit(1));
}
