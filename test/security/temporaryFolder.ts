import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';

/** A folder for the test file, removed at its end. */
export function temporaryFolder(): () => string {
  const folder = mkdtempSync(join(tmpdir(), 'framegate-security-'));
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return () => folder;
}
