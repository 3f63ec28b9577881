import { describe, expect, test } from '@jest/globals';
import {
  checkReleaseState,
  parseOptions,
  type ReleaseState,
} from '../../scripts/release/checks.ts';
import { productionSbom } from '../../scripts/release/sbom.ts';

const commit = '0123456789abcdef0123456789abcdef01234567';
const ready: ReleaseState = {
  version: '1.4.0',
  changes: [],
  branch: 'main',
  commit,
  tags: new Map(),
  unregistered: [],
  changelogs: new Map([['CHANGELOG.md', '# Changelog\n\n## 1.4.0\n\n- More.\n\n## 1.3.0\n']]),
};
const check = (seen: Partial<ReleaseState>, ...words: string[]) =>
  checkReleaseState({ ...ready, ...seen }, parseOptions(words));
const other = 'fedcba9876543210fedcba9876543210fedcba98';

describe('a release', () => {
  test('of a clean main without the tag is made', () => {
    expect(check({})).toContain('no tag v1.4.0 yet');
  });

  test('is rehearsed on any branch', () => {
    const branch = 'branch repair; a release needs main';
    expect(check({ branch: 'repair' }, '--dry-run')).toContain(branch);
    expect(check({ branch: null }, '--dry-run')).toContain('no branch; a release needs main');
  });

  test('is rehearsed before its names are registered', () => {
    const held = check({ unregistered: ['framegate'] }, '--dry-run');
    expect(held).toContain('the working tree is clean');
  });

  test('of a tag is made at its commit, outside any branch', () => {
    const seen = { branch: null, tags: new Map([['v1.4.0', commit]]) };
    expect(check(seen, '--tagged')).toContain('v1.4.0 is the tag of this commit');
  });

  test.each<[string, Partial<ReleaseState>, string[], string]>([
    [
      'an unknown option',
      {},
      ['--dry-run', '--publish'],
      'Unknown option: --publish. Options: --dry-run, --skip-checks, --tagged.',
    ],
    [
      'a changed file',
      { changes: ['README.md', 'notes.txt'] },
      ['--dry-run'],
      'The working tree is not clean (README.md and 1 more): commit or remove it.',
    ],
    [
      'another branch',
      { branch: 'repair' },
      [],
      'A release is made from the branch main, and this is branch repair.',
    ],
    [
      'no branch',
      { branch: null },
      [],
      'A release is made from the branch main, and this is no branch.',
    ],
    ...['v1.4.0', 'integrations/go/v1.4.0'].map(
      (tag): [string, Partial<ReleaseState>, string[], string] => [
        `the existing tag ${tag}`,
        { tags: new Map([[tag, other]]) },
        ['--dry-run'],
        `The tag ${tag} exists already, at fedcba98: raise "version" in package.json and run "npm run generate".`,
      ],
    ),
    [
      'a commit without the tag',
      { tags: new Map([['v1.4.0', other]]) },
      ['--tagged'],
      'This commit does not have the tag v1.4.0, which --tagged asks for.',
    ],
    [
      'names that anybody could register',
      { unregistered: ['@framegate/client', 'framegate'] },
      [],
      'Not registered yet: @framegate/client, framegate. PUBLISHING.md of each begins with that.',
    ],
    [
      'a version that a changelog does not know',
      {
        changelogs: new Map([
          ...ready.changelogs,
          ['integrations/go/CHANGELOG.md', '## 1.4.0-beta\n'],
        ]),
      },
      ['--dry-run'],
      'No section "## 1.4.0" in integrations/go/CHANGELOG.md: write it first.',
    ],
  ])('with %s is refused', (_, seen, words, message) => {
    expect(() => check(seen, ...words)).toThrow(message);
  });
});

test('the list of contents omits development tools, and is reproducible for a commit', () => {
  const component = (ref: string, ...properties: string[]) => ({
    'bom-ref': ref,
    name: ref,
    properties: properties.map((name) => ({ name, value: 'true' })),
  });
  const list = {
    serialNumber: 'urn:uuid:other',
    metadata: { timestamp: 'now', component: component('framegate') },
    components: [component('koa'), component('jest', 'cdx:npm:package:development')],
    dependencies: [
      { ref: 'framegate', dependsOn: ['koa', 'jest'] },
      { ref: 'koa' },
      { ref: 'jest', dependsOn: ['koa'] },
    ],
  };
  expect(productionSbom(list, commit, '2026-01-02T03:04:05Z')).toEqual({
    serialNumber: 'urn:uuid:01234567-89ab-8def-8123-456789abcdef',
    metadata: { timestamp: '2026-01-02T03:04:05Z', component: component('framegate') },
    components: [component('koa')],
    dependencies: [
      { ref: 'framegate', dependsOn: ['koa'] },
      { ref: 'koa', dependsOn: [] },
    ],
  });
});
