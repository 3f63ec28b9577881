import { runAdmin } from './compose/runAdmin.ts';
import { CommandError } from './domain/installation/commandError.ts';

/*
 * `npm run admin -- <command>`: runs one command on the database; prints its result as one JSON object to standard
 * output, and errors to standard error.
 */

/** Maximum characters read from standard input. */
const maxLineLength = 8_192;

/** Writes a line to standard error. */
function report(text: string): void {
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

// `print` reports it.
process.stdout.on('error', () => undefined);
process.exitCode = await runAdmin(process.argv.slice(2), {
  print,
  report,
  readLine,
  async openTerminal(signal) {
    const { openTerminal } = await import('./adapters/system/terminal.ts');
    return openTerminal(signal);
  },
});
