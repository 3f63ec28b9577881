import { UsageError } from './commands/command.ts';
import { parseCommandLine } from './commands/parseCommandLine.ts';
import { CommandError } from './domain/installation/commandError.ts';
import { Refusal } from './domain/refusal.ts';

/** Maximum characters read from standard input. */
const maxLineLength = 8_192;

/**
 * `npm run admin -- <command>`: runs one command on the database; prints its result as one JSON object to standard
 * output, and errors to standard error.
 * @returns The exit status: 0 done, 1 not done or a broken ledger, 2 wrong usage.
 */
async function main(args: readonly string[]): Promise<number> {
  try {
    const parsed = parseCommandLine(args);
    if ('help' in parsed) {
      process.stdout.write(`${parsed.help}\n`);
      return 0;
    }
    // Help and mistyped commands load neither the database nor the settings.
    const { runCommand } = await import('./compose/command.ts');
    const output = await runCommand(parsed, { print, tell, readLine });
    if (parsed.command.printsItself !== true) await print(`${JSON.stringify(output)}\n`);
    return parsed.command.isBad?.(output) === true ? 1 : 0;
  } catch (error) {
    tell(await explain(error));
    return error instanceof UsageError ? 2 : 1;
  }
}

/** Writes a line to standard error. */
function tell(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Writes to standard output as fast as it is read. @throws CommandError once nothing reads it any more. */
function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => {
      if (error) {
        reject(new CommandError('Standard output was closed before everything was written.'));
      } else {
        resolve();
      }
    });
  });
}

/** The first line of standard input, up to the maximum length of a password. */
async function readLine(): Promise<string> {
  let text = '';
  for await (const piece of process.stdin.setEncoding('utf8')) {
    text += String(piece);
    if (text.includes('\n') || text.length > maxLineLength) break;
  }
  return (text.split('\n', 1)[0] ?? '').replace(/\r$/, '');
}

/** An error as one line if the operator can act on it; a bug in full. */
async function explain(error: unknown): Promise<string> {
  if (error instanceof UsageError) {
    return `${error.message} "npm run admin -- --help" shows the commands.`;
  }
  if (error instanceof CommandError) return error.message;
  if (error instanceof Refusal) {
    const { inWords } = await import('./commands/refusalHints.ts');
    return inWords(error);
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

// `print` reports it.
process.stdout.on('error', () => undefined);
process.exitCode = await main(process.argv.slice(2));
