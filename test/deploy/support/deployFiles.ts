import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { projectRoot } from '../../support/runNode.ts';

/** The text of a file of the project. @param path From its root. */
export const readText = (path: string) => readFileSync(join(projectRoot, path), 'utf8');

/** The part of a compose service that the tests use. */
export interface Service {
  image: string;
  environment?: Record<string, string>;
  command?: string[];
  depends_on?: Record<string, { condition: string }>;
  stop_grace_period?: string;
  networks?: unknown;
  user?: string;
  read_only?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  tmpfs?: string[];
  secrets?: string[];
  env_file?: { path: string }[];
  volumes?: (string | { source: string; target: string; read_only: boolean })[];
}

/** The part of a compose file that the tests use. */
export interface ComposeFile {
  services: Record<string, Service>;
  secrets?: Record<string, { file: string }>;
}

/** A compose file with its variables filled in, as `docker compose config` does. */
export function readCompose(path: string, env: Readonly<Record<string, string>>) {
  const text = readText(path).replace(
    /(?<!\$)\$\{(\w+)(?::([-?])([^}]*))?\}/g,
    (_all, name: string, kind: string | undefined, rest = '') => {
      const value = env[name];
      if (value !== undefined && value !== '') return value;
      if (kind === '?') throw new Error(`${path} needs ${name}`);
      return kind === '-' ? String(rest) : '';
    },
  );
  return parse(text, { merge: true }) as ComposeFile;
}

/** One instruction of a Dockerfile: its name in capitals, and the rest in one line. */
export interface Instruction {
  name: string;
  rest: string;
}

/** The instructions of the Dockerfile's stages, without comments; each stage begins with its FROM. */
export function readStages(): Instruction[][] {
  const lines = readText('Dockerfile')
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const stages: Instruction[][] = [];
  for (const line of lines) {
    const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    if (name === 'FROM') stages.push([]);
    stages.at(-1)?.push({ name, rest });
  }
  return stages;
}

/** Values of the `NAME=value` pairs of ARG, ENV and LABEL. */
export function assignments(instructions: readonly Instruction[], name: string) {
  const pairs = instructions
    .filter((each) => each.name === name)
    .flatMap(({ rest }) => [...rest.matchAll(/([\w.]+)=(?:"([^"]*)"|(\S*))/g)])
    .map(([, key = '', quoted, bare]): [string, string] => [key, quoted ?? bare ?? '']);
  return Object.fromEntries(pairs);
}
