import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parseCommandLine } from '../../gateway/src/commands/parseCommandLine.ts';
import { shellBlocks } from '../docs/shellBlocks.ts';
import { projectRoot } from '../support/runNode.ts';
import { readCompose, readText } from './support/deployFiles.ts';

const pages = ['compose', 'kubernetes', 'systemd', 'backup'].map(
  (name) => `docs/deploy/${name}.md`,
);
const lines = pages.flatMap((page) =>
  shellBlocks(readText(page)).flatMap(({ commands }) => commands),
);
const anything = new Proxy({}, { get: () => 'x' }) as Record<string, string>;

/** Lines that match a pattern, at least one, each with its first group. */
function linesWith(pattern: RegExp): [string, string][] {
  const found = lines.flatMap((line): [string, string][] => {
    const match = pattern.exec(line);
    return match ? [[line, match[1] ?? '']] : [];
  });
  expect(found.length).toBeGreaterThan(0);
  return found;
}

test('admin commands of the pages are valid', () => {
  for (const [, words] of linesWith(/(?:admin\.ts|^framegate-admin) ([^|>]*)/)) {
    expect(() => parseCommandLine(words.trim().split(/\s+/))).not.toThrow();
  }
});

test('files that the pages run or copy exist', () => {
  for (const [, path] of linesWith(
    /^(?:sudo )?(?:sh|cp|install(?: -\S+ \S+)*) ((?:deploy|docs)\/\S+)/,
  )) {
    expect([path, existsSync(join(projectRoot, path))]).toEqual([path, true]);
  }
});

test.each([...pages.slice(0, 2), 'deploy/systemd/framegate.env.example'])(
  '%s names the variable of the provider whose example it uses',
  (page) => {
    expect(readText('docs/providers/fal.json')).toContain('"apiKeyEnv": "FAL_API_KEY"');
    expect(readText(page)).toMatch(/\bFAL_API_KEY(_FILE)?=/);
  },
);

test('services that the pages name exist', () => {
  for (const [line, service] of linesWith(/docker compose .*?(?:exec(?: -T)?|run --rm) (\w+) /)) {
    const file = /-f (\S+)/.exec(line)?.[1] ?? 'compose.yaml';
    expect(Object.keys(readCompose(file, anything).services)).toContain(service);
  }
});
