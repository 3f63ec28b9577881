import { chmodSync } from 'node:fs';
import ffprobe from '@ffprobe-installer/ffprobe';
import { startTestMongod, type TestMongod } from './mongod.ts';

declare global {
  var framegateTestMongod: TestMongod | undefined;
}

/** One real mongod per test run; its address goes to the tests in TEST_MONGODB_URI. */
export default async function globalSetup(): Promise<void> {
  // Install scripts do not run here, so the binary may not be executable yet.
  chmodSync(ffprobe.path, 0o755);
  const given = process.env['MONGODB_URI'];
  if (given) {
    process.env['TEST_MONGODB_URI'] = given;
    return;
  }
  const mongod = await startTestMongod();
  globalThis.framegateTestMongod = mongod;
  process.env['TEST_MONGODB_URI'] = mongod.uri;
}
