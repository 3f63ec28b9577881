import { UsageError } from '../commands/flags.ts';
import { parseCommandLine } from '../commands/parseCommandLine.ts';
import { CommandError } from '../domain/installation/commandError.ts';
import { Refusal } from '../domain/refusal.ts';
import type { AdminConsole } from './commandApp.ts';

/**
 * Runs one command of `npm run admin`: prints its result as one JSON object, and reports errors.
 * @returns The exit status: 0 done, 1 not done or a broken ledger, 2 wrong usage.
 */
export async function runAdmin(args: readonly string[], console: AdminConsole): Promise<number> {
  try {
    const parsed = parseCommandLine(args);
    if ('help' in parsed) {
      await console.print(`${parsed.help}\n`);
      return 0;
    }
    // Help and mistyped commands load neither the database nor the settings.
    const { runCommand } = await import('./command.ts');
    const output = await runCommand(parsed, console);
    if (parsed.command.printsItself !== true) await console.print(`${JSON.stringify(output)}\n`);
    return parsed.command.isBad?.(output) === true ? 1 : 0;
  } catch (error) {
    console.report(await describeFailure(error));
    return error instanceof UsageError ? 2 : 1;
  }
}

/** An error as one line if the operator can act on it; a bug in full. */
async function describeFailure(error: unknown): Promise<string> {
  if (error instanceof UsageError) {
    return `${error.message} "npm run admin -- --help" shows the commands.`;
  }
  if (error instanceof CommandError) return error.message;
  if (error instanceof Refusal) {
    const { describeWithHint } = await import('../commands/refusalHints.ts');
    return describeWithHint(error);
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
