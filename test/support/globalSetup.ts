import { chmodSync } from 'node:fs';
import ffprobe from '@ffprobe-installer/ffprobe';
import { startTestMongod } from './mongod.ts';

/**
 * One real mongod per test run; its address goes to the tests in TEST_MONGODB_URI.
 * @returns what stops it.
 */
export default async function globalSetup(): Promise<() => Promise<void>> {
  // Install scripts do not run here, so the binary may not be executable yet.
  chmodSync(ffprobe.path, 0o755);
  const given = process.env['MONGODB_URI'];
  if (given) {
    process.env['TEST_MONGODB_URI'] = given;
    return async () => undefined;
  }
  const mongod = await startTestMongod();
  process.env['TEST_MONGODB_URI'] = mongod.uri;
  return () => mongod.stop();
}
