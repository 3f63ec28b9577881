import type { Platform } from '../platform.ts';

/** The part of a process's stream that the command line uses. */
export interface Output {
  write(text: string): unknown;
  isTTY?: boolean;
}

/** Input and output of the command line; `main` passes the process's, tests their own. */
export interface Io {
  env: Readonly<Record<string, string | undefined>>;
  stdout: Output;
  /** Output for people only: progress, advice. */
  stderr: Output;
  /** Asks on the terminal, hiding the answer if it is secret; reads a line elsewhere. */
  ask(question: string, options: { isSecret: boolean }): Promise<string>;
  /** Lines of standard input, for a command that reads continuously. */
  lines?: AsyncIterable<string>;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  /** Folder of the user's settings. */
  configFolder: string;
  platform?: Partial<Platform>;
}

/** Prints a result: a human-readable line, or an object as a line of JSON. */
export type ResultPrinter = (object: object, line: string) => void;

/** The path of one of a generation's files: those after the first are numbered. @param index From 0. */
export function numberPath(path: string, index: number, extension: string): string {
  return `${path}${index === 0 ? '' : `-${index + 1}`}${extension}`;
}

/** Whether results are lines of JSON. */
export function isForPrograms(
  { values }: { values: { json?: boolean | undefined } },
  { stdout }: Pick<Io, 'stdout'>,
): boolean {
  return values.json ?? stdout.isTTY !== true;
}

/** Ends a command with a message and its own exit code. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: number;

  constructor(exitCode: number, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}
