import { afterAll, beforeAll } from '@jest/globals';
import { makeWorkDir, startRenderer, type TestRenderer } from './startRenderer.ts';

/** Runs a renderer on a folder of its own for the tests of a file or of a block. */
export function useRenderer(): () => TestRenderer {
  let renderer: TestRenderer;
  let remove: () => Promise<void>;
  beforeAll(async () => {
    const made = await makeWorkDir();
    remove = made.remove;
    renderer = startRenderer(made.workDir);
  });
  afterAll(async () => {
    await renderer.close();
    await remove();
  });
  return () => renderer;
}
