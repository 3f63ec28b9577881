import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { detailCodes, errorCodes, errorTypes, failureCodes } from '@framegate/contract';
import type { ErrorCode, FailureCode } from '@framegate/contract';
import { exampleError } from '../../shared/src/openapi/exampleErrors.ts';

const page = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8');
const [head = '', refused = '', failed = ''] = page.split(/^## .*$/m);

/** Sections of a chapter by the code in their heading. */
function sectionsOf(chapter: string, prefix: string): [string, string][] {
  return chapter
    .split(/^### /m)
    .slice(1)
    .map((section) => {
      const [heading = '', ...lines] = section.split('\n');
      expect(heading.startsWith(prefix)).toBe(true);
      return [heading.slice(prefix.length), lines.join('\n')];
    });
}

/** The JSON example of a section. */
function exampleOf(section: string): unknown {
  return JSON.parse(/```json\n(.*?)```/s.exec(section)?.[1] ?? '');
}

const requests = sectionsOf(refused, '');
const failures = sectionsOf(failed, 'Failed: ');

describe('docs/errors.md has a section for each code and none besides', () => {
  test('of refused requests', () => {
    expect(requests.map(([code]) => code)).toEqual(Object.keys(errorCodes));
  });

  test('of failed generations', () => {
    expect(failures.map(([code]) => code)).toEqual(Object.keys(failureCodes));
  });

  test('of details', () => {
    const codes = [...head.matchAll(/^\| `(\w+)` +\|/gm)].map(([, code]) => code);
    expect(codes).toEqual([...detailCodes]);
  });

  test('and names each type', () => {
    for (const type of errorTypes) expect(head).toContain(`\`${type}\``);
  });
});

const answer = (retryable: boolean) => (retryable ? 'yes' : 'no');

describe('docs/errors.md has the catalogue’s texts', () => {
  test.each(requests)('of %s', (code, section) => {
    const { status, type, retryable } = errorCodes[code as ErrorCode];
    expect(section).toContain(
      `Status ${status}, type \`${type}\`, retryable: ${answer(retryable)}.`,
    );
    expect(exampleOf(section)).toEqual(exampleError(code as ErrorCode));
  });

  test.each(failures)('of a generation failed with %s', (code, section) => {
    const { type, message, retryable } = failureCodes[code as FailureCode];
    expect(section).toContain(`Type \`${type}\`, retryable: ${answer(retryable)}.`);
    const { error } = exampleOf(section) as { error: Record<string, unknown> };
    expect(Object.keys(error)).toEqual(['type', 'code', 'message', 'param', 'retryable']);
    expect(error).toMatchObject({ type, code, message, retryable });
  });
});
