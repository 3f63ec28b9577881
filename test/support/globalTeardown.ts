import type {} from './globalSetup.ts';

/** Stops the mongod of this test run and removes its folder. */
export default async function globalTeardown(): Promise<void> {
  await globalThis.framegateTestMongod?.stop();
}
