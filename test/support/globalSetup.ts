import { startTestMongod, type TestMongod } from './mongod.ts';

let mongod: TestMongod | null = null;

/**
 * One real mongod per test run. TEST_MONGODB_URI gives its address to the tests; TEST_MONGODB_ENDS tells whether it
 * ends with the run.
 */
export default async function globalSetup(): Promise<void> {
  const given = process.env['MONGODB_URI'];
  if (!given) mongod = await startTestMongod();
  process.env['TEST_MONGODB_URI'] = given || mongod?.uri;
  process.env['TEST_MONGODB_ENDS'] = String(mongod !== null);
}

/** Stops this run's own mongod, if any. */
export async function stopMongod(): Promise<void> {
  await mongod?.stop();
}
