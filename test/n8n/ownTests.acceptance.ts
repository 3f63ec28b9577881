import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { copyTracked } from '../install/installCopy.ts';
import { npm } from '../support/install.ts';
import { packageFolder } from './support/packageFolder.ts';

test("the package's own tests pass in a copy without this repository", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'framegate-n8n-package-'));
  try {
    await copyTracked(folder, packageFolder);
    await symlink(join(packageFolder, 'node_modules'), join(folder, 'node_modules'));
    expect(await npm(folder, 'test')).toMatch(/pass [1-9]\d*\n.*fail 0\n/);
  } finally {
    await rm(folder, { recursive: true });
  }
});
