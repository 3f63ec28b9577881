import { expect, test } from '@jest/globals';
import { commands } from '../../gateway/src/commands/commands.ts';
import { UsageError } from '../../gateway/src/commands/flags.ts';
import { parseCommandLine } from '../../gateway/src/commands/parseCommandLine.ts';

const words = (line: string) => line.split(' ').filter((word) => word !== '');

test.each([
  ['', 'A command has two words'],
  ['account', 'A command has two words'],
  ['account delete', 'Unknown command "account delete".'],
  ['account create --verified', '--email is missing.'],
  ['account create --email a@b.example --password p --password-stdin', 'not both'],
  ['account create --email --password p', '--email'],
  ['account create --email a@b.example --password p --staff king', 'one of viewer, support, admin'],
  ['account create --email a@b.example --password p --verified=yes', '--verified'],
  ['account show', '--account is missing.'],
  ['account show --account', '--account'],
  ['account show --account a --verbose', "Unknown option '--verbose'"],
  ['account show --account a b', "Unexpected argument 'b'"],
  ['account limits --account a --running 0', 'a whole number from 1 to 1000000000'],
  ['account limits --account a --waiting x', 'but is "x"'],
  ['credits grant --account a', '--amount is missing.'],
  [
    'credits grant --account a --amount 1.5',
    '--amount must be a whole number from 1 to 1000000000000, but is "1.5"',
  ],
  ['credits grant --account a --amount 0', 'but is "0"'],
  ['credits grant --account a --amount 5 --kind gift', 'promotional, subscription, purchased'],
  ['credits grant --account a --amount 5 --expires tomorrow', '--expires must be a date'],
  ['credits grant --account a --amount 5 --expires 2030-01-01T00:00:00', 'with a time zone'],
  ['credits grant --account a --amount 5 --expires 2030-13-01', 'but is "2030-13-01"'],
  ['key create --account a', '--name is missing.'],
  ['host approve --key k', '--host is missing.'],
  ['ledger verify --accounts a', '--account'],
  ['ledger mend --dry-run', '--account is missing.'],
  ['ledger verify --account a --since f', '--account cannot be combined'],
])('refuses "%s"', (line, message) => {
  let refusal: unknown;
  try {
    parseCommandLine(words(line));
  } catch (error) {
    refusal = error;
  }
  expect(refusal).toBeInstanceOf(UsageError);
  expect((refusal as UsageError).message).toContain(message);
  expect((refusal as UsageError).message).not.toContain('\n');
});

test.each([
  'account create --email a@b.example',
  'account create --email a@b.example --password-stdin --verified',
  'account create --email a@b.example --password=-p --verified --staff admin',
  'account limits --account a --creates-per-minute 1000000 --burst 1 --running 1 --waiting 0 --status-reads-per-minute 1 --other-reads-per-minute 1',
  'credits grant --account a --amount 1000000 --kind subscription --expires 2030-01-01T00:00:00.000Z',
  'credits grant --account a --amount 1 --expires 2030-01-01',
  'key create --account a --name n --host a.example --host *.b.example --model beta-3.0',
])('takes "%s"', (line) => {
  expect(parseCommandLine(words(line))).toHaveProperty('work');
});

test('helps with one command or with all', () => {
  const all = parseCommandLine(['--help']) as { help: string };
  for (const name of Object.keys(commands)) expect(all.help).toContain(`\n  ${name}`);
  const one = parseCommandLine(words('key create --help')) as { help: string };
  expect(one.help).toContain('key create --account A');
  expect(one.help).not.toContain('ledger verify');
});
