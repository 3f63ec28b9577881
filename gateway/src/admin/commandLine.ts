import { parseArgs } from 'node:util';
import {
  parseFlags,
  UsageError,
  type AdminDeps,
  type ApartCommand,
  type ApartDeps,
  type Command,
  type FlagValues,
} from './command.ts';
import { commands } from './commands.ts';

/** What a command line asks for. */
export type Asked =
  | { help: string }
  | { command: Command; work: (deps: AdminDeps) => Promise<Record<string, unknown>> }
  | { command: ApartCommand; apart: (deps: ApartDeps) => Promise<Record<string, unknown>> };

/** Reads a command line. @throws UsageError when it is none of the commands, or has a wrong flag. */
export function parseCommandLine(args: readonly string[]): Asked {
  const words = args.slice(0, 2).filter((arg) => !arg.startsWith('-'));
  const name = words.join(' ');
  if (args.includes('--help') || args.includes('-h')) return { help: help(name) };
  if (words.length < 2) throw new UsageError('A command has two words, such as "account create".');
  const command = commands[name];
  if (command === undefined) throw new UsageError(`There is no command "${name}".`);
  const flags = parseFlags(parse(command, args.slice(2)));
  if ('readApart' in command) return { command, apart: command.readApart(flags) };
  return { command, work: command.read(flags) };
}

function parse(command: Pick<Command, 'flags'>, args: string[]): FlagValues {
  const options: Record<string, { type: 'string' | 'boolean'; multiple: boolean }> = {};
  for (const [name, kind] of Object.entries(command.flags)) {
    options[name] = { type: kind === 'switch' ? 'boolean' : 'string', multiple: kind === 'texts' };
  }
  try {
    return parseArgs({ args, options, strict: true }).values;
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (code?.startsWith('ERR_PARSE_ARGS') !== true) throw error;
    throw new UsageError(message.replaceAll('\n', ' ').replace(/[^.]$/, '$&.'));
  }
}

/** The usage of one command, or of all whose names start so. */
function help(name: string): string {
  const chosen = Object.entries(commands).filter(([each]) => each.startsWith(name));
  const shown = chosen.length > 0 ? chosen : Object.entries(commands);
  const lines = shown.map(([each, { usage, summary }]) =>
    `  ${each} ${usage}`.trimEnd().concat(`\n      ${summary}`),
  );
  return [
    'npm run --silent admin -- <command> prints one JSON object.',
    'It works on the database that MONGODB_URI or DATA_DIR names, also while the gateway runs.',
    'Exit status: 0 done; 1 not done, or a broken ledger; 2 wrong usage.',
    '',
    ...lines,
  ].join('\n');
}
