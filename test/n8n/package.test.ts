import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';

const folder = join(import.meta.dirname, '../../integrations/n8n');
const read = (file: string) => readFileSync(join(folder, file), 'utf8');
const readJson = (file: string) => JSON.parse(read(file)) as Record<string, unknown>;

/** Every file of the package's own source. */
const sources = ['credentials', 'nodes'].flatMap((part) =>
  readdirSync(join(folder, part), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(part, file)),
);

describe('n8n-nodes-framegate', () => {
  const manifest = readJson('package.json');

  test('meets the rules of n8n: no dependency, no script at install, MIT', () => {
    expect(manifest).not.toHaveProperty('dependencies');
    expect(manifest).not.toHaveProperty('overrides');
    expect(manifest).not.toHaveProperty('repository.directory');
    expect(manifest).toMatchObject({
      name: 'n8n-nodes-framegate',
      license: 'MIT',
      files: ['dist'],
      keywords: expect.arrayContaining(['n8n-community-node-package']),
      peerDependencies: { 'n8n-workflow': '*' },
      n8n: { n8nNodesApiVersion: 1, strict: true },
    });
    expect(Object.keys(manifest['scripts'] as object)).toEqual(['build', 'types', 'lint', 'test']);
  });

  test('is published by a workflow that npm can vouch for, from the repository that it names', () => {
    const workflow = read('.github/workflows/publish.yml');
    expect(workflow).toMatch(/npm publish --provenance/);
    expect(workflow).toMatch(/id-token: write/);
    expect(workflow).not.toMatch(/secrets\.|NODE_AUTH_TOKEN/);
    expect(workflow).toMatch(/test "\$GITHUB_REF_NAME" = .*version/);
    const { url } = manifest['repository'] as { url: string };
    const page = url.replace(/^git\+/, '').replace(/\.git$/, '');
    expect(page).toMatch(/^https:\/\/github\.com\/[^/]+\/n8n-nodes-framegate$/);
    expect(manifest).toMatchObject({ homepage: `${page}#readme`, bugs: `${page}/issues` });
  });

  test('shows the panel, the credential and a filled list in its README, which has no dead link', () => {
    const links = [...read('README.md').matchAll(/\]\(([^)#:]+)\)/g)].map(([, to = '']) => to);
    expect(links).toEqual(
      expect.arrayContaining(
        ['node-panel', 'credential', 'model-list'].map((name) => `docs/images/${name}.png`),
      ),
    );
    expect(links.filter((to) => !existsSync(join(folder, to)))).toEqual([]);
  });

  test('is found by common search words', () => {
    const { alias } = readJson('nodes/Framegate/Framegate.node.json');
    expect(alias).toEqual(expect.arrayContaining(['generate video', 'video generator']));
  });

  test('imports nothing but its own files, n8n-workflow and crypto', () => {
    const imported = sources.flatMap((file) =>
      [...read(file).matchAll(/from '([^']+)'/g)].map(([, from = '']) => from),
    );
    const foreign = imported.filter((from) => !from.startsWith('.'));
    expect([...new Set(foreign)].toSorted()).toEqual(['crypto', 'n8n-workflow']);
  });

  test('disables no rule in a comment', () => {
    expect(sources.filter((file) => read(file).includes('eslint-disable'))).toEqual([]);
  });

  test('has the logo, on a ground of its own, for light and for dark', () => {
    const icons = ['framegate.svg', 'framegate.dark.svg'].map((file) => read(join('icons', file)));
    for (const icon of icons) expect(icon).toMatch(/^<svg [^>]*>\s*<rect [^>]*fill="#/);
    expect(new Set(icons).size).toBe(2);
  });
});

test('the agent of the example learns why its tool failed, and that it must not pay again', () => {
  const { nodes } = readJson('examples/agent-with-image-tool.json') as {
    nodes: { type: string; typeVersion: number; onError?: string; parameters: object }[];
  };
  const agent = nodes.find(({ type }) => type.endsWith('.agent'));
  const tool = nodes.find(({ type }) => type.endsWith('.framegateTool'));
  expect(tool?.parameters).toMatchObject({ options: { maxCredits: 10 } });
  expect(agent?.typeVersion).toBeGreaterThanOrEqual(3);
  expect(tool?.onError).toBe('continueRegularOutput');
  expect(JSON.stringify(agent?.parameters)).toMatch(/do not try again/);
});

describe.each(readdirSync(join(folder, 'examples')))('example %s', (file) => {
  const example = readJson(join('examples', file)) as {
    nodes: {
      type: string;
      credentials?: Record<string, { name: string }>;
      [key: string]: unknown;
    }[];
    connections: Record<string, Record<string, { node: string }[][]>>;
  };
  const ours = example.nodes.filter(({ type }) => type.startsWith('n8n-nodes-framegate.'));

  test('has the node, with the credential by the name that n8n gives it', () => {
    expect(ours.length).toBeGreaterThan(0);
    for (const { credentials } of ours) {
      expect(credentials).toMatchObject({ framegateApi: { name: 'Framegate account' } });
    }
  });

  test('connects nodes that exist, and is shown in the README', () => {
    const names = example.nodes.map(({ name }) => name);
    for (const [from, outputs] of Object.entries(example.connections)) {
      const to = Object.values(outputs).flat(2);
      expect(names).toEqual(expect.arrayContaining([from, ...to.map(({ node }) => node)]));
    }
    const picture = `docs/images/${file.replace('.json', '.png')}`;
    expect(read('README.md')).toContain(`(examples/${file})`);
    expect(read('README.md')).toContain(`(${picture})`);
    expect(readFileSync(join(folder, picture)).subarray(1, 4).toString()).toBe('PNG');
  });

  test('names no key, host or execution of a user', () => {
    const text = read(join('examples', file));
    expect(text).not.toMatch(/fg_live_|"instanceId"|pinData": \{\s*"/);
    const hosts = [...text.matchAll(/https?:\/\/([^/"\s]+)/g)].map(([, host]) => host);
    const known = ['files.example.com', 'drive.usercontent.google.com'];
    expect(hosts.filter((host) => !known.includes(String(host)))).toEqual([]);
  });
});
