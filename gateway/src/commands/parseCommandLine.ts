import { parseArgs } from 'node:util';
import { errorCodeOf, messageOf } from '@framegate/contract';
import type { CommandRun, NotedWhen } from '../application/staff/noteCommand.ts';
import { idsAmong } from '../domain/ids.ts';
import type { Command, CommandApp, OfflineCommand, OfflineDeps } from './command.ts';
import { commands } from './commands.ts';
import { type FlagValues, parseFlags, UsageError } from './flags.ts';

/** A parsed command line. */
export type ParsedCommand =
  | { help: string }
  | {
      command: Command;
      work: (deps: CommandApp) => Promise<Record<string, unknown>>;
      /** The run for the audit log; without a name if none was given. Null for a command that changes nothing. */
      run: (Omit<CommandRun, 'by'> & { by: string | null }) | null;
    }
  | {
      command: OfflineCommand;
      runOffline: (deps: OfflineDeps) => Promise<Record<string, unknown>>;
    };

/** Parses a command line. @throws UsageError for an unknown command or an invalid flag. */
export function parseCommandLine(args: readonly string[]): ParsedCommand {
  const words = args.slice(0, 2).filter((arg) => !arg.startsWith('-'));
  const name = words.join(' ');
  if (args.includes('--help') || args.includes('-h')) return { help: help(name) };
  if (words.length < 2) throw new UsageError('A command has two words, such as "account create".');
  const command = commands[name];
  if (command === undefined) throw new UsageError(`Unknown command "${name}".`);
  const values = parse(command, args.slice(2));
  const flags = parseFlags(values);
  if ('prepareOffline' in command) return { command, runOffline: command.prepareOffline(flags) };
  const work = command.prepare(flags);
  return { command, work, run: 'noted' in command ? runOf(name, command.noted, values) : null };
}

/** Flags whose values are personal, secret, or recorded elsewhere in the entry. */
const unloggedFlags = new Set([
  'email',
  'external-id',
  'password',
  'name',
  'idempotency-key',
  'by',
  'reason',
]);

function runOf(name: string, notedWhen: NotedWhen, values: FlagValues) {
  const { by, reason } = values;
  const loggedFlags = Object.entries(values).flatMap(([flag, value]) =>
    unloggedFlags.has(flag) || idsAmong([value]).length > 0
      ? []
      : [`${flag} ${[value].flat().join(' ')}`.replace(/ true$/, '')],
  );
  return {
    action: `command ${name}` as const,
    by: by === undefined ? null : requireName(String(by)),
    targets: idsAmong(Object.values(values)),
    reason: typeof reason === 'string' ? reason : '',
    what: loggedFlags.join(', '),
    noted: notedWhen,
  };
}

function requireName(by: string): string {
  if (/^[^\p{C}]{1,100}$/u.test(by.trim())) return by.trim();
  throw new UsageError('--by must be 1 to 100 characters on one line.');
}

function parse(command: Command | OfflineCommand, args: string[]): FlagValues {
  const options: Record<string, { type: 'string' | 'boolean'; multiple: boolean }> = {};
  if ('noted' in command) options['by'] = { type: 'string', multiple: false };
  for (const [name, kind] of Object.entries(command.flags)) {
    options[name] = { type: kind === 'switch' ? 'boolean' : 'string', multiple: kind === 'texts' };
  }
  const operand = Object.keys(command.flags).find((name) => command.flags[name] === 'operand');
  try {
    const parsed = parseArgs({
      args,
      options,
      strict: true,
      allowPositionals: operand !== undefined,
    });
    const [value, second] = parsed.positionals;
    if (second !== undefined) throw new UsageError(`Unexpected argument "${second}".`);
    return operand === undefined || value === undefined
      ? parsed.values
      : { [operand]: value, ...parsed.values };
  } catch (error) {
    if (errorCodeOf(error)?.startsWith('ERR_PARSE_ARGS') !== true) throw error;
    throw new UsageError(messageOf(error).replaceAll('\n', ' ').replace(/[^.]$/, '$&.'));
  }
}

/** The usage of one command, or of all whose names start with `name`. */
function help(name: string): string {
  const chosen = Object.entries(commands).filter(([each]) => each.startsWith(name));
  const listed = chosen.length > 0 ? chosen : Object.entries(commands);
  const lines = listed.map(([each, { usage, summary }]) =>
    `  ${each} ${usage}`.trimEnd().concat(`\n      ${summary}`),
  );
  return [
    'npm run --silent admin -- <command> prints one JSON object.',
    'The command line uses the database in MONGODB_URI or DATA_DIR, even while the gateway is running.',
    'Commands that change data accept --by NAME for the audit log; the default is the current user of this machine.',
    'Exit status: 0 success; 1 failure, or a problem was found; 2 invalid usage.',
    '',
    ...lines,
  ].join('\n');
}
