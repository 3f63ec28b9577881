import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { hurry } from '../../support/hurry.ts';
import { inTurn } from '../../support/inTurn.ts';
import { compiledFolder, type Ended, projectRoot } from '../../support/runNode.ts';

const run = promisify(execFile);

/** Folder of the package's sources. */
export const packageFolder = join(projectRoot, 'integrations/typescript');

/** A folder with the package installed as npm would serve it. */
export interface Installation {
  folder: string;
  /** The installed package. */
  package: string;
  /** Runs Node in the folder. */
  node(args: readonly string[], env?: Record<string, string>, input?: string): Promise<Ended>;
  /** Starts the command line, for a test that acts while it runs. */
  framegate(args: readonly string[], env?: Record<string, string>, input?: string): Running;
}

/** A running command. */
export interface Running {
  child: ChildProcess;
  /** The program's output so far. */
  written: { stdout: string; stderr: string };
  ended: Promise<Ended>;
}

/** Builds and packs the package, and installs it into a folder. */
export async function installPacked(folder: string): Promise<Installation> {
  const installed = await packInto(folder, packageFolder);
  const node = (args: readonly string[], env: Record<string, string> = {}, input = ''): Running => {
    const { PATH = '' } = process.env;
    const child = spawn(process.execPath, ['--import', hurry, ...args], {
      cwd: folder,
      env: { PATH, NODE_COMPILE_CACHE: compiledFolder, HOME: folder, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const written = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk: Buffer) => (written.stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (written.stderr += chunk.toString()));
    child.stdin.on('error', () => undefined).end(input);
    const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
    const ended = Promise.all([exit, text(child.stdout), text(child.stderr)]).then(
      ([status, stdout, stderr]) => ({ status, stdout, stderr }),
    );
    return { child, written, ended };
  };
  const bin = join(installed, 'dist/cli/main.js');
  return {
    folder,
    package: installed,
    node: (args, env, input) => node(args, env, input).ended,
    framegate: (args, env, input) => node([bin, ...args], env, input),
  };
}

/** Builds and packs a package, and unpacks it into a folder's node_modules. Returns its path there. */
export async function packInto(folder: string, source: string): Promise<string> {
  const { name } = await manifestOf(source);
  const installed = join(folder, 'node_modules', name);
  await mkdir(installed, { recursive: true });
  await run('tar', ['-xzf', await packed(source), '-C', installed, '--strip-components=1']);
  return installed;
}

interface Manifest {
  name: string;
  version: string;
  files: string[];
}

async function manifestOf(source: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(source, 'package.json'), 'utf8')) as Manifest;
}

/**
 * The tarball of a package, as npm would publish it. Test files share it as long as the sources and the project's
 * packages, which include the compiler, are the same.
 */
async function packed(source: string): Promise<string> {
  const place = join(projectRoot, 'node_modules/.cache/framegate/packed', basename(source));
  return inTurn(place, async () => {
    const folder = join(place, await hashOf(source));
    const file = join(folder, 'whole.tgz');
    if (!existsSync(file)) {
      // Tarballs of other sources are removed.
      await rm(place, { recursive: true, force: true });
      await rename(await pack(source, folder), file);
    }
    return file;
  });
}

/** Names the content of a package's files, and the project's packages. */
async function hashOf(source: string): Promise<string> {
  const made = ['node_modules', 'dist'].map((name) => join(source, name));
  const entries = await readdir(source, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !made.some((each) => path.startsWith(`${each}${sep}`)))
    .toSorted();
  const hash = createHash('sha256');
  for (const path of [join(projectRoot, 'package-lock.json'), ...files]) {
    hash.update(`${path}\0`).update(await readFile(path));
  }
  return hash.digest('hex').slice(0, 16);
}

/** @returns The path of the tarball. */
async function pack(source: string, folder: string): Promise<string> {
  const tsc = join(projectRoot, 'node_modules/typescript/bin/tsc');
  const built = join(folder, 'built');
  const build = [tsc, '-p', source, '--outDir', join(built, 'dist')];
  await run(process.execPath, build);
  // The types keep their comments.
  const types = ['--emitDeclarationOnly', '--removeComments', 'false', '--noCheck'];
  await run(process.execPath, [...build, ...types]);
  const { name, version, files } = await manifestOf(source);
  for (const each of ['package.json', 'README.md', 'LICENSE', ...files]) {
    if (each !== 'dist') await cp(join(source, each), join(built, each));
  }
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: built });
  return join(folder, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);
}

/** Files loaded by a module of the package, including itself; Node's own modules begin with `node:`. */
export async function loadedBy(file: string, seen = new Set<string>()): Promise<Set<string>> {
  if (seen.has(file)) return seen;
  seen.add(file);
  if (file.startsWith('node:')) return seen;
  const code = await readFile(file, 'utf8');
  for (const [, name = ''] of code.matchAll(/\bfrom ['"]([^'"]+)['"]/g)) {
    await loadedBy(name.startsWith('.') ? join(dirname(file), name) : name, seen);
  }
  return seen;
}

/** The samples of a package's README in one language. */
export async function samplesIn(language: string, source = packageFolder): Promise<string[]> {
  const readme = await readFile(join(source, 'README.md'), 'utf8');
  const blocks = readme.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'));
  return [...blocks].map(([, code = '']) => code);
}
