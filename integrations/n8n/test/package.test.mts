import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

/* The files that npm would publish. */

const folder = join(import.meta.dirname, '..');
const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
  n8n: { nodes: string[]; credentials: string[] };
};
const { stdout } = await promisify(execFile)('npm', ['pack', '--dry-run', '--json'], {
  cwd: folder,
});
const [packed] = JSON.parse(stdout) as { files: { path: string }[] }[];
const files = (packed?.files ?? []).map(({ path }) => path);

test('the tarball has what n8n loads, with its icons', () => {
  const { nodes, credentials } = manifest.n8n;
  const needed = [...nodes, ...credentials, 'dist/icons/framegate.svg', 'LICENSE', 'README.md'];
  assert.deepEqual(
    needed.filter((file) => !files.includes(file)),
    [],
  );
});

test('the tarball has no tests and no maps of sources that are not in it', () => {
  const odd = files.filter((file) => /\.map$|\.m?ts$|\/test\//.test(file.replace('.d.ts', '')));
  assert.deepEqual(odd, []);
});
