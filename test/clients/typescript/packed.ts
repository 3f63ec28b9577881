import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { cp, mkdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { hurry } from '../../support/hurry.ts';
import { compiledFolder, projectRoot, type Ended } from '../../support/runNode.ts';

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
  /** Its output so far. */
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
  const tsc = join(projectRoot, 'node_modules/typescript/bin/tsc');
  const built = join(folder, 'built', basename(source));
  const build = [tsc, '-p', source, '--outDir', join(built, 'dist')];
  await run(process.execPath, build);
  // The types keep their comments.
  await run(process.execPath, [...build, '--emitDeclarationOnly', '--removeComments', 'false']);
  const manifest = await readFile(join(source, 'package.json'), 'utf8');
  const { name, version, files } = JSON.parse(manifest) as {
    name: string;
    version: string;
    files: string[];
  };
  for (const each of ['package.json', 'README.md', 'LICENSE', ...files]) {
    if (each !== 'dist') await cp(join(source, each), join(built, each));
  }
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: built });
  const file = join(folder, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);
  const installed = join(folder, 'node_modules', name);
  await mkdir(installed, { recursive: true });
  await run('tar', ['-xzf', file, '-C', installed, '--strip-components=1']);
  return installed;
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
