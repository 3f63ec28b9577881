import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { clientsFolder } from '../gateway/src/compose/clientFiles.ts';
import manifest from '../package.json' with { type: 'json' };
import { clientParts, placeClients } from './release/clients.ts';
import { MissingToolError } from './release/run.ts';

/**
 * `npm run clients`: packs the packages of `integrations` into gateway/clients; a restarted gateway serves them at
 * /clients. Releases contain them. The first time, it needs npm's registry for some packages' tools, and Python with
 * hatchling for the wheel. Exits with status 1 if a package is missing.
 */
const root = join(import.meta.dirname, '..');
const { version, repository } = manifest;
const say = (line: string) => process.stdout.write(`${line}\n`);
/** Installed and built files, which are made again in the copy. */
const generatedFolders = new Set(['node_modules', 'dist', '.venv']);

const copy = mkdtempSync(join(tmpdir(), 'framegate-clients-'));
try {
  const out = join(copy, 'out');
  mkdirSync(out);
  cpSync(join(root, 'integrations'), join(copy, 'integrations'), {
    recursive: true,
    filter: (path) => !generatedFolders.has(basename(path)),
  });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const names: string[] = [];
  for (const part of clientParts) {
    try {
      part.requirePrograms?.(root);
      const files = part.make({ version, repository, root, copy, out });
      names.push(...files);
      say(`  ${part.name}: ${files.join(', ')}`);
    } catch (error) {
      process.exitCode = 1;
      const reason =
        error instanceof MissingToolError ? `this needs ${error.message}` : String(error);
      say(`  ${part.name}: not made, ${reason}`);
    }
  }
  placeClients(out, clientsFolder, { version, names });
  say(`Packed into ${clientsFolder}: start the gateway again to serve them at /clients.`);
} finally {
  rmSync(copy, { recursive: true, force: true });
}
