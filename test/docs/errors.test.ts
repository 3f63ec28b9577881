import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import {
  detailCodes,
  type ErrorCode,
  errorCodes,
  errorTypes,
  type FailureCode,
  failureCodes,
} from '@framegate/contract';
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

/** The JSON example of a text. */
function exampleOf(text: string): unknown {
  return JSON.parse(/```json\n(.*?)```/s.exec(text)?.[1] ?? '');
}

/** The sentence about the field at fault. */
function faultAt(param: string | null): string {
  if (param === null) return '';
  return ` \`param\`: ${param.startsWith('inputs[') ? 'the input, such as ' : ''}\`${param}\`.`;
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

  test('names each type', () => {
    for (const type of errorTypes) expect(head).toContain(`\`${type}\``);
  });
});

const respond = (retryable: boolean) => (retryable ? 'yes' : 'no');

describe("docs/errors.md has the catalogue's texts", () => {
  test('in the example of the whole response', () => {
    expect(exampleOf(head)).toEqual(exampleError('model_not_found'));
  });

  test.each(requests)('of %s', (code, section) => {
    const { status, type, retryable } = errorCodes[code as ErrorCode];
    const example = exampleError(code as ErrorCode);
    const { message, param, details, credits } = example.error;
    const first = `Status ${status}, type \`${type}\`, retryable: ${respond(retryable)}.`;
    if (details.length > 0 || credits !== undefined) {
      expect(section).toContain(`${first}\n`);
      expect(exampleOf(section)).toEqual(example);
    } else {
      expect(section).toContain(`${first}${faultAt(param)}\n\n> ${message}\n`);
    }
  });

  test.each(failures)('of a generation failed with %s', (code, section) => {
    const { type, message, retryable } = failureCodes[code as FailureCode];
    const first = `Type \`${type}\`, retryable: ${respond(retryable)}.`;
    expect(section).toContain(first);
    expect(section).toContain(`\n\n> ${message}\n`);
  });
});
