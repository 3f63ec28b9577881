import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { foldersWithTools } from '../../scripts/release/clients.ts';
import { commandsPlayedBy } from '../docs/playedCommands.ts';
import { installLocked } from '../support/install.ts';
import { projectRoot } from '../support/runNode.ts';

const run = promisify(execFile);

/**
 * Copies tracked files, as they are in the working tree, to an empty folder.
 * @param from The folder they are below; by default the whole project.
 */
export async function copyTracked(folder: string, from = projectRoot): Promise<void> {
  const { stdout } = await run('git', ['ls-files', '-z'], {
    cwd: from,
    maxBuffer: 16 * 1024 * 1024,
  });
  for (const file of stdout.split('\0')) {
    const source = join(from, file);
    // The last name is empty; a file that was removed may still be tracked.
    if (file === '' || !existsSync(source)) continue;
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await cp(source, join(folder, file));
  }
}

/** Gives a copy the installed packages of the project, among them the tools with which clients are packed. */
export async function linkPackages(copy: string): Promise<void> {
  await symlink(join(projectRoot, 'node_modules'), join(copy, 'node_modules'));
  for (const folder of foldersWithTools) {
    const place = join('integrations', folder);
    await installLocked(join(projectRoot, place));
    await symlink(join(projectRoot, place, 'node_modules'), join(copy, place, 'node_modules'));
  }
}

/** The command in docs/operating/installing.md that installs the gateway for production. */
export function documentedInstall(): string {
  const page = 'docs/operating/installing.md';
  return commandsPlayedBy('test/install/installCopy.ts', page).join(' && ');
}

/** Runs an npm command in a folder, from npm's cache where possible. @throws Error with npm's output. */
export async function runNpm(command: string, folder: string): Promise<void> {
  const own = Object.entries(process.env).filter(
    // Set by the npm that runs the tests, for this project.
    ([name]) => !/^npm_(package|lifecycle|config_local_prefix|config_workspace)/.test(name),
  );
  const env = { ...Object.fromEntries(own), npm_config_prefer_offline: 'true' };
  await run('sh', ['-c', command], { cwd: folder, env, maxBuffer: 16 * 1024 * 1024 });
}
