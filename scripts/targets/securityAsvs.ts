import { readFileSync } from 'node:fs';
import type { Target } from '../target.ts';

/** State of OWASP ASVS 5.0 requirements, in our own words: the source of `docs/security-asvs.md`. */
export interface AsvsRow {
  /** Numbers of one section, such as `1.2.1, 1.2.3 to 1.2.5`. */
  requirements: string;
  state: AsvsState;
  /** How it is met, or why not. May be missing if a test's name says it. */
  how?: string;
  /** The test that fails when the state no longer holds. */
  test?: { file: string; name: string };
  /** The day of the last review, if no test covers it: `YYYY-MM-DD`. */
  read?: string;
}

/** The meanings of the states, in page order. */
export const asvsStates = {
  met: 'met by the gateway or by its deployment files',
  gap: 'not met, or only partly: the row names the missing part or the replacement',
  operator: 'depends on the operation of the gateway',
  'not applicable': 'Framegate has no part to which it applies',
} as const;
type AsvsState = keyof typeof asvsStates;

/** The chapters of the standard, in its order. */
export const asvsChapters = JSON.parse(
  readFileSync(new URL('securityAsvs.json', import.meta.url), 'utf8'),
) as readonly { title: string; rows: readonly AsvsRow[] }[];

/** The individual numbers of a row. */
export function numbersOf({ requirements }: Pick<AsvsRow, 'requirements'>): string[] {
  return requirements.split(', ').flatMap((part) => {
    const [first = '', last = first] = part.split(' to ');
    const stem = first.slice(0, first.lastIndexOf('.') + 1);
    const [from, to] = [first, last].map((each) => Number(each.slice(stem.length)));
    const length = Number(to) - Number(from) + 1;
    return Array.from({ length }, (_, at) => `${stem}${Number(from) + at}`);
  });
}

/** The state of each requirement of levels 1 and 2. */
export const securityAsvs: Target = { file: 'docs/security-asvs.md', content: () => page() };

function page(): string {
  const all = asvsChapters.flatMap(({ rows }) => rows);
  const counts = Object.entries(asvsStates).map(([state, meaning]) => {
    const own = all.filter((row) => row.state === state).flatMap(numbersOf);
    return `| ${state} | ${own.length} | ${meaning} |`;
  });
  return [
    '# OWASP ASVS 5.0, level 2',
    'This table states the status of each requirement of levels 1 and 2 of the [Application Security Verification Standard 5.0](https://github.com/OWASP/ASVS/tree/v5.0.0_release/5.0), by its number. A row names the test that fails if the state no longer holds, or the day of the review.',
    ['| state | requirements | meaning |', '| --- | --- | --- |', ...counts].join('\n'),
    ...asvsChapters.flatMap(({ title, rows }, at) => [
      `## ${at + 1}. ${title}`,
      ['| requirements | state | evidence |', '| --- | --- | --- |', ...rows.map(line)].join('\n'),
    ]),
  ].join('\n\n');
}

function line({ requirements, state, how, test, read }: AsvsRow): string {
  const stateText = state === 'gap' ? '**gap**' : state;
  const proof = test ? `\`${test.file}\`: ${test.name}` : `reviewed ${read ?? ''}`;
  const parts = [how, state === 'not applicable' ? undefined : proof];
  return `| ${requirements} | ${stateText} | ${parts.filter((each) => each !== undefined).join('; ')} |`;
}
