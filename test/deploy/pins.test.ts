import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { projectRoot } from '../support/runNode.ts';
import { readCompose, readText } from './support/deployFiles.ts';

const workflows = readdirSync(join(projectRoot, '.github/workflows')).map(
  (name) => `.github/workflows/${name}`,
);
const anything = new Proxy({}, { get: () => '' }) as Record<string, string>;

/** Every value that a key of this name has in a parsed file, at any depth. */
function valuesOf(node: unknown, key: string): unknown[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([name, value]: [string, unknown]) => [
    ...(name === key ? [value] : []),
    ...valuesOf(value, key),
  ]);
}

/** Third-party images that the project's files start or build on, each with the file that names it. */
function images(): [string, string][] {
  const fromDocker = readText('Dockerfile')
    .split('\n')
    .flatMap((line) => /^(?:FROM|# syntax=) ?(\S+)/.exec(line)?.[1] ?? [])
    .map((image): [string, string] => ['Dockerfile', image]);
  const fromCompose = ['compose.yaml', 'compose.trial.yaml'].flatMap((file) =>
    Object.values(readCompose(file, { ...anything, ...filled(file) }).services)
      .map(({ image }): [string, string] => [file, image])
      .filter(([, image]) => !image.startsWith('framegate:')),
  );
  const fromWorkflows = workflows.flatMap((file) =>
    ['container', 'image']
      .flatMap((key) => valuesOf(parse(readText(file)), key))
      .filter((image) => typeof image === 'string')
      .map((image): [string, string] => [file, image]),
  );
  return [...fromDocker, ...fromCompose, ...fromWorkflows];
}

/** A value for each variable that a file asks for, and none for the image that is built here. */
function filled(file: string): Record<string, string> {
  const names = [...readText(file).matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name);
  return Object.fromEntries(
    names.filter((name) => name !== 'FRAMEGATE_IMAGE').map((name) => [name, 'x']),
  );
}

describe('names whose content others may change are pinned', () => {
  test.each(workflows)('each action of %s by its commit, with its version next to it', (file) => {
    const lines = [...readText(file).matchAll(/\buses: *(.*)$/gm)].map(([, rest = '']) => rest);
    expect(lines).toHaveLength(valuesOf(parse(readText(file)), 'uses').length);
    const others = lines.filter((rest) => !rest.startsWith('./'));
    expect(others.filter((rest) => !/^[\w./-]+@[0-9a-f]{40} # v\d+(\.\d+)+$/.test(rest))).toEqual(
      [],
    );
  });

  test('an action has one commit in all workflows', () => {
    const uses = workflows.flatMap((file) => valuesOf(parse(readText(file)), 'uses') as string[]);
    const commits = new Set(uses.filter((each) => !each.startsWith('./')));
    const names = new Set([...commits].map((each) => each.replace(/@.*/, '')));
    expect(names.size).toBeGreaterThan(8);
    expect(commits.size).toBe(names.size);
  });

  test('each image by its digest, with its tag next to it, and the same one in all files', () => {
    const found = images();
    expect(found.length).toBeGreaterThan(8);
    const unpinned = found.filter(
      ([, image]) => !/^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/.test(image),
    );
    expect(unpinned).toEqual([]);
    const distinct = new Set(found.map(([, image]) => image));
    expect(new Set([...distinct].map((image) => image.replace(/@.*/, ''))).size).toBe(
      distinct.size,
    );
  });
});

test('the decoder is the one whose hash is next to its build script', () => {
  const [, hash, path = ''] =
    /^([0-9a-f]{64}) {2}(\S+)\n$/.exec(readText('scripts/h264/decoder.wasm.sha256')) ?? [];
  const bytes = readFileSync(join(projectRoot, path));
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(hash);
  expect(path).toBe('gateway/media/src/h264/decoder.wasm');
  // A workflow rebuilds it from the source that the decision names, and compares.
  const rebuild = readText('.github/workflows/decoder.yml');
  const [, commit = ''] = /commit ([0-9a-f]{8,})/.exec(readText('docs/adr/0011-posters.md')) ?? [];
  expect(rebuild).toMatch(new RegExp(`ref: ${commit}[0-9a-f]{32}\\n`));
  expect(rebuild).toContain('sha256sum --check scripts/h264/decoder.wasm.sha256');
});

const lockFiles = execFileSync('git', ['ls-files', '*package-lock.json'], { cwd: projectRoot })
  .toString()
  .trim()
  .split('\n');

/** Builds of the renderer's encoder for other platforms, of which the registry has no metadata: none is installed. */
const unpublished = ['darwin', 'linux-arm', 'win32'].map((each) => `@napi-rs/webcodecs-${each}`);

test.each(lockFiles)('each package of %s by its hash', (path) => {
  const { packages } = JSON.parse(readText(path)) as {
    packages: Record<string, { integrity?: string; link?: true; inBundle?: true }>;
  };
  const unhashed = Object.entries(packages)
    .filter(([name, { link, inBundle }]) => name.includes('node_modules/') && !link && !inBundle)
    .filter(([, { integrity = '' }]) => !/^sha512-[\w+/]{86}==$/.test(integrity))
    .map(([name]) => name.replace(/^.*node_modules\//, ''));
  const isKnown = (name: string) => unpublished.some((each) => name.startsWith(each));
  expect(unhashed.filter((name) => path !== 'package-lock.json' || !isKnown(name))).toEqual([]);
});

test('Dependabot covers every lock file', () => {
  const folders = lockFiles.map((path) => path.replace(/\/?package-lock\.json$/, ''));
  const { updates } = parse(readText('.github/dependabot.yml')) as {
    updates: { 'package-ecosystem': string; directories?: string[] }[];
  };
  const npm = updates.find((each) => each['package-ecosystem'] === 'npm');
  expect(npm?.directories).toEqual(folders.map((folder) => `/${folder}`).sort());
});
