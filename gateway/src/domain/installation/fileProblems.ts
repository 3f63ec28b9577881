import { jsonPath } from '@framegate/contract';

/** Receives a problem in one of the operator's files: its path, and a sentence about it. */
export type Report = (path: readonly (string | number)[], sentence: string) => void;

/** Collects problems under a path of the file, as sentences that start with it. */
export function reporter(problems: string[], path: readonly (string | number)[]): Report {
  return (within, sentence) => {
    problems.push(`${jsonPath([...path, ...within])} ${sentence}.`);
  };
}

/** Refuses one of the operator's files. */
export class FileProblemsError extends Error {
  override readonly name = 'FileProblemsError';
  /** One sentence each, starting with the JSON path. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    // The caller adds the final period.
    super(problems.join(' ').replace(/\.$/, ''));
    this.problems = problems;
  }
}
