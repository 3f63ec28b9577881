import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { hasTest, type NamedTest } from '../support/namedTest.ts';
import { projectRoot } from '../support/runNode.ts';

const page = readFileSync(join(projectRoot, 'docs/invariants.md'), 'utf8');

interface Promised {
  id: string;
  /** Lines with the reasons why it holds. */
  reasons: number;
  tests: NamedTest[];
}

const promises: Promised[] = page
  .split(/^## (?=I\d+ )/m)
  .slice(1)
  .map((section) => {
    const [why = '', named = ''] = section.split(/^Tests:$/m);
    return {
      id: /^I\d+/.exec(section)?.[0] ?? '',
      reasons: [...why.matchAll(/^- /gm)].length,
      tests: [...named.matchAll(/^- `([^`]+)`: (.+)$/gm)].map(([, file = '', name = '']) => ({
        file,
        name,
      })),
    };
  });

describe('docs/invariants.md', () => {
  test('has every promise, in order', () => {
    expect(promises.map(({ id }) => id)).toEqual(
      Array.from({ length: 13 }, (_, index) => `I${index + 1}`),
    );
  });

  test.each(promises)('$id gives reasons and names existing tests', (promised) => {
    expect(promised.reasons).toBeGreaterThan(0);
    expect(promised.tests.length).toBeGreaterThan(0);
    expect(promised.tests.filter((each) => !hasTest(each))).toEqual([]);
  });
});
