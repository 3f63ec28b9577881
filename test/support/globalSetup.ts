import { chmodSync } from 'node:fs';
import ffprobe from '@ffprobe-installer/ffprobe';
import { startTestMongod, type TestMongod } from './mongod.ts';

let mongod: TestMongod | null = null;

/**
 * One real mongod per test run; its address goes to the tests in TEST_MONGODB_URI, and in TEST_MONGODB_ENDS whether
 * it ends with the run.
 */
export default async function globalSetup(): Promise<void> {
  // Install scripts do not run here, so the binary may not be executable yet.
  chmodSync(ffprobe.path, 0o755);
  const given = process.env['MONGODB_URI'];
  if (!given) mongod = await startTestMongod();
  process.env['TEST_MONGODB_URI'] = given || mongod?.uri;
  process.env['TEST_MONGODB_ENDS'] = String(mongod !== null);
}

/** Stops the mongod of this run, where it has one of its own. */
export async function stopMongod(): Promise<void> {
  await mongod?.stop();
}
