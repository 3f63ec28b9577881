import { jsonPath } from '@framegate/contract';

/** Takes a problem in one of the operator's files: its path, and a sentence about it. */
export type Report = (path: readonly (string | number)[], sentence: string) => void;

/** Collects problems under a path of the file, as sentences that begin with it. */
export function reporter(problems: string[], path: readonly (string | number)[]): Report {
  return (within, sentence) => {
    problems.push(`${jsonPath([...path, ...within])} ${sentence}.`);
  };
}
