import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/*
 * Compiles src to dist and inserts values known only at build time: the version, and the base URL proposed by the
 * connection form (environment variable FRAMEGATE_BASE_URL).
 */
const folder = import.meta.dirname;
const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
rmSync(join(folder, 'dist'), { recursive: true, force: true });
const compiled = spawnSync(process.execPath, [join(typescript, 'bin/tsc'), '-p', folder], {
  stdio: 'inherit',
});
if (compiled.status !== 0) process.exit(compiled.status ?? 1);

const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const defaultBaseUrl = (process.env.FRAMEGATE_BASE_URL ?? '').trim().replace(/\/+$/, '');
if (defaultBaseUrl !== '' && !/^https:\/\/[^\s?#@]+\/v1$/.test(defaultBaseUrl)) {
  console.error('FRAMEGATE_BASE_URL must be an https address that ends in /v1.');
  process.exit(1);
}
const constants = { appVersion: version, defaultBaseUrl };
writeFileSync(
  join(folder, 'dist/builtWith.js'),
  Object.entries(constants)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};\n`)
    .join(''),
);
