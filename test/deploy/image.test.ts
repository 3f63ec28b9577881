import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { projectRoot } from '../support/runNode.ts';
import { assignments, readStages, readText } from './support/deployFiles.ts';

const [install = [], final = []] = readStages();
const packageOf = (folder: string) =>
  JSON.parse(readFileSync(join(projectRoot, folder, 'package.json'), 'utf8')) as {
    name: string;
    workspaces?: string[];
    engines?: { node: string };
  };

test('the image has a manifest of each workspace, without which npm ci does not accept the lock file', () => {
  const copied = install
    .filter(({ name }) => name === 'COPY')
    .flatMap(({ rest }) => rest.split(' ').slice(0, -1));
  for (const workspace of packageOf('.').workspaces ?? []) {
    expect(copied).toContain(`${workspace}/package.json`);
  }
  for (const source of copied) expect(existsSync(join(projectRoot, source))).toBe(true);
});

test('.dockerignore admits every copied file', () => {
  const passed = [...readText('.dockerignore').matchAll(/^!(.*)$/gm)].map(([, path]) => path ?? '');
  const sources = install
    .filter(({ name }) => name === 'COPY')
    .flatMap(({ rest }) => rest.split(' ').slice(0, -1));
  const lets = (source: string) =>
    passed.some((path) => source === path || source.startsWith(`${path}/`));
  expect(sources.filter((source) => !lets(source))).toEqual([]);
});

test('the workspaces that are installed exist, and neither renderer nor database is among them', () => {
  const { WORKSPACES = '' } = assignments(install, 'ARG');
  const names = (packageOf('.').workspaces ?? []).map((folder) => packageOf(folder).name);
  const chosen = WORKSPACES.split(' ').filter((word) => word !== '-w');
  expect(chosen).toEqual(['@framegate/gateway', '@framegate/providers']);
  expect(names).toEqual(expect.arrayContaining(chosen));
});

test('its commands exist, and run as a user other than root', () => {
  const commands = final.filter(({ name }) => ['CMD', 'HEALTHCHECK'].includes(name));
  expect(commands).toHaveLength(2);
  for (const { rest } of commands) {
    const [program = '', script = ''] = JSON.parse(rest.slice(rest.indexOf('['))) as string[];
    expect(program).toBe('node');
    expect(existsSync(join(projectRoot, script))).toBe(true);
  }
  expect(final.find(({ name }) => name === 'USER')?.rest).toMatch(/^[1-9]\d*:[1-9]\d*$/);
});
