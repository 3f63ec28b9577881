import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll } from '@jest/globals';
import { projectRoot } from '../../support/runNode.ts';

const script = 'deploy/compose/makeEnv.sh';

/** Runs `deploy/compose/makeEnv.sh` in a folder. @throws Error with its status and its output. */
export function runMakeEnv(folder: string, ...args: string[]): void {
  execFileSync('sh', [join(folder, script), ...args], { stdio: 'pipe' });
}

/** A folder with this script alone. */
export function folderWithScript(): string {
  const folder = mkdtempSync(join(tmpdir(), 'framegate-deploy-'));
  mkdirSync(join(folder, 'deploy/compose'), { recursive: true });
  cpSync(join(projectRoot, script), join(folder, script));
  return folder;
}

/** A site host, a media host and a mail server, as an operator gives them to the script. */
export const hosts = [
  'video.example.com',
  'files.example.com',
  'smtps://u:p$x@mail.example.com:465',
];

/** Runs the script once for the tests of a file. @returns Its folder, its `.env` and its secrets. */
export function useMadeEnv() {
  const folder = folderWithScript();
  runMakeEnv(folder, ...hosts);
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
  return { folder, made: readEnv(folder), secrets: readSecrets(folder) };
}

/** The `.env` of a folder, as compose reads it. */
export function readEnv(folder: string): Record<string, string> {
  return parseEnv(readFileSync(join(folder, '.env'), 'utf8')) as Record<string, string>;
}

/** Folder in which the script puts secrets, relative to its own. */
export const secretsFolder = 'deploy/compose/secrets';

/** The secrets that it wrote, each by the name of its file. */
export function readSecrets(folder: string): Record<string, string> {
  const files = readdirSync(join(folder, secretsFolder), { withFileTypes: true });
  return Object.fromEntries(
    files
      .filter((each) => each.isFile())
      .map(({ name }) => [name, readFileSync(join(folder, secretsFolder, name), 'utf8').trim()]),
  );
}

/** An environment of a container, whose files of secrets are those that the script wrote. */
export function withSecrets(folder: string, env: Record<string, string> = {}) {
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [
      name,
      value.replace(/^\/run\/secrets/, join(folder, secretsFolder)),
    ]),
  );
}
