// Runs after `npm ci`, and brings Node 24 where the present one is too old, for the commands that npm runs in this
// project. Plain JavaScript on purpose: it is read by such a Node.
import { spawnSync } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isNodeTooOld } from '../../gateway/isNodeTooOld.js';

const { env, platform } = process;
// An installation for production takes the Node of its machine.
if (isNodeTooOld && !env['npm_config_omit']?.includes('dev')) {
  if (isMusl()) adviseToInstall();
  else bring();
}

/** Node's own builds, which would be brought, need glibc. */
function isMusl() {
  return (
    platform === 'linux' && process.report.getReport().header.glibcVersionRuntime === undefined
  );
}

function adviseToInstall() {
  process.stderr.write('Install Node 24 from https://nodejs.org: it could not be brought along.\n');
}

function bring() {
  const folder = dirname(fileURLToPath(import.meta.url));
  // Not the settings of the npm that runs this.
  const own = Object.entries(env).filter(
    ([name]) => !/^npm_(package|lifecycle|config_(local_prefix|workspace))/.test(name),
  );
  const options = { cwd: folder, env: Object.fromEntries(own), stdio: 'inherit' };
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
    ...options,
    shell: platform === 'win32',
  });
  const packages = join(folder, 'node_modules');
  const brought = existsSync(packages) ? readdirSync(packages) : [];
  const name = brought.find((each) => each.startsWith('node-'));
  if (status !== 0 || name === undefined) {
    adviseToInstall();
    return;
  }
  // Headers for building native modules: half of it.
  rmSync(join(packages, name, 'include'), { recursive: true, force: true });
  const program = platform === 'win32' ? 'node.exe' : 'node';
  const bin = join(folder, '../../node_modules/.bin');
  mkdirSync(bin, { recursive: true });
  rmSync(join(bin, program), { force: true });
  linkSync(join(packages, name, 'bin', program), join(bin, program));
}
