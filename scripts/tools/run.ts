/**
 * `node scripts/tools/run.ts <name> [argument …]`: runs a program of this folder's packages in the project. The
 * first command that needs them installs them.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { installTools } from '../../test/support/tools.ts';

const [name = '', ...args] = process.argv.slice(2);
await installTools();
const program = join(import.meta.dirname, 'node_modules/.bin', name);
const { status, error } = spawnSync(program, args, { stdio: 'inherit' });
if (error) throw error;
process.exitCode = status ?? 1;
