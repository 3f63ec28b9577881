import { FramegateError } from '../errors.ts';
import { type Arguments, parseArguments } from './arguments.ts';
import { commands } from './commands.ts';
import { exitCodeOf } from './exitCodes.ts';
import { help } from './help.ts';
import { CommandError, type Io, isForPrograms } from './io.ts';

/**
 * Runs one command.
 * @param version The package's version.
 * @returns The exit code
 */
export async function run(argv: readonly string[], io: Io, version: string): Promise<number> {
  let args: Arguments | undefined;
  try {
    args = parseArguments(argv);
    const { command, values } = args;
    const isJson = isForPrograms(args, io);
    if (values.version === true || values.help === true || command === 'help') {
      io.stdout.write(values.version === true ? `${version}\n` : help);
      return 0;
    }
    const carryOut = Object.hasOwn(commands, command) ? commands[command] : undefined;
    if (!carryOut) {
      throw new CommandError(2, `Unknown command "${command}". See: framegate help`);
    }
    await carryOut(args, io, (object, line) => {
      if (isJson) io.stdout.write(`${JSON.stringify(object)}\n`);
      else if (line !== '') io.stdout.write(`${line}\n`);
    });
    return 0;
  } catch (error) {
    const exitCode = exitCodeOf(error);
    tell(error, exitCode, argv, args, io);
    return exitCode;
  }
}

/** Prints the error human-readable, with the command to resume, or as JSON. */
function tell(
  error: unknown,
  exitCode: number,
  argv: readonly string[],
  args: Arguments | undefined,
  io: Io,
): void {
  const message = error instanceof Error ? error.message : String(error);
  const resume = args && error instanceof FramegateError ? resumeCommand(error, argv, args) : null;
  io.stderr.write(`${message}\n${resume === null ? '' : `To resume: ${resume}\n`}`);
  if (!args || !isForPrograms(args, io)) return;
  const { code, generationId, idempotencyKey, retryable } = error as Partial<FramegateError>;
  const about = { generation_id: generationId, idempotency_key: idempotencyKey, resume };
  const report = { event: 'error', exit_code: exitCode, code, message, retryable, ...about };
  io.stdout.write(`${JSON.stringify(report)}\n`);
}

/** The command that resumes a current generation without charge; null if there is none. */
function resumeCommand(
  { code, generationId, idempotencyKey, mayHaveCreated, name }: FramegateError,
  argv: readonly string[],
  { values }: Arguments,
): string | null {
  if (name === 'GenerationFailedError' || code === 'generation_not_found') return null;
  const { output, 'base-url': baseUrl } = values;
  if (generationId !== undefined) {
    return quoteForShell([
      ...['framegate', 'wait', generationId],
      ...(output === undefined ? [] : ['-o', output]),
      ...(baseUrl === undefined ? [] : ['--base-url', baseUrl]),
    ]);
  }
  if (!mayHaveCreated || idempotencyKey === undefined) return null;
  const isGiven = values['idempotency-key'] !== undefined;
  return quoteForShell([
    'framegate',
    ...argv,
    ...(isGiven ? [] : ['--idempotency-key', idempotencyKey]),
  ]);
}

/** Quotes words for a POSIX shell. */
function quoteForShell(words: readonly string[]): string {
  return words
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(' ');
}
