/** What is wrong with one setting. */
export interface ConfigProblem {
  setting: string;
  /** A whole sentence that names the setting, what it was (never a secret) and what is allowed. */
  message: string;
}

/** The settings do not allow a start. The message is for the operator and lists every problem. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    const count = problems.length === 1 ? '1 setting needs' : `${problems.length} settings need`;
    const lines = problems.map(({ message }) => `  - ${message}`);
    super([`Framegate cannot start: ${count} a change.`, ...lines].join('\n'));
    this.problems = problems;
  }
}
