import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createOperatorKeyStore } from '../../gateway/src/adapters/mongo/staff/operatorStores.ts';
import { createAuditLog } from '../../gateway/src/adapters/mongo/staff/staffStores.ts';
import { runNoted } from '../../gateway/src/application/staff/noteCommand.ts';
import type { CommandApp } from '../../gateway/src/commands/command.ts';
import { commands } from '../../gateway/src/commands/commands.ts';
import { parseCommandLine } from '../../gateway/src/commands/parseCommandLine.ts';
import { describeRefusal } from '../../gateway/src/texts/describeRefusal.ts';
import { type AdminTest, connectAdmin } from './connect.ts';

/* The log records who ran which command, and nothing changes it afterwards. */

let admin: AdminTest;
let account: string;
beforeAll(async () => {
  admin = await connectAdmin();
  account = await admin.newAccount();
});
afterAll(() => admin.close());

/** Runs a command line as `npm run admin` does; parts that need a whole gateway do nothing. */
async function run(words: readonly string[]) {
  const asked = parseCommandLine(words);
  if (!('work' in asked) || asked.run === null) throw new Error('it changes nothing');
  const { models, pepper } = admin;
  const deps = {
    ...admin,
    operatorKeys: createOperatorKeyStore(models),
    pepper: () => pepper,
    autoApprovedHosts: [],
    adviseIfStopped: () => undefined,
    catalogues: { listPage: async () => [] },
    requestedCatalogue: () => ({ catalogue: { models: [] } }),
    routeGroups: () => ['vip'],
    makeEnrolmentLink: async () => 'https://a.example/staff/enrol#x',
    invite: async () => ({ url: 'https://a.example', until: 0 }),
    publishCatalogue: async () => ({ result: 'published', version: { number: 1, from: 0 } }),
    requestReload: async () => [{ result: 'read' }],
    migrate: async () => [1],
    loadSchema: async () => ({ stored: { done: [] }, verdict: 'current' }),
    feed: { beginEpoch: async () => ({ last: 5 }) },
    withDeliveries: async () => ({ result: 'offered again' }),
    runRemoving: async () => 'taken down',
  } as unknown as CommandApp;
  const { command, run: runCommand, work } = asked;
  const hasChanged = 'noted' in command ? command.hasChanged : undefined;
  return runNoted(
    { ...deps, audit: createAuditLog(models, describeRefusal) },
    { ...runCommand, by: runCommand.by ?? 'the user' },
    (database) => work({ ...deps, database }),
    hasChanged,
  );
}

const entries = () => admin.models.staffAudit.find({}, {}, { sort: { _id: 1 } }).lean();

/** One line for each command that changes something, in a working order. */
const lines = (): Record<string, string> => ({
  'account create': '--email new@people.example --verified --staff support',
  'account invite': '--email ada@people.example',
  'account limits': `--account ${account} --running 3`,
  'account group': `--account ${account} --group vip`,
  'account suspend': `--account ${account}`,
  'account resume': `--account ${account}`,
  'generation takedown': '--generation gen_1',
  'generation deliver': '--generation gen_1',
  'credits grant': `--account ${account} --amount 500 --reason agreed`,
  'plan start': `--account ${account} --name Studio --credits 5`,
  'plan change': `--account ${account} --credits 6`,
  'plan end': `--account ${account}`,
  'key create': `--account ${account} --name app`,
  'host approve': '--key KEY --host a.example.com',
  'key revoke': '--key KEY',
  'operator-key create': '--name shop --scope credits:read',
  'operator-key revoke': '--key OPK',
  'staff enrol': `--account ${account}`,
  'ledger mend': `--account ${account}`,
  'models publish': '',
  'routes reload': '',
  'routes sell': '--provider fal --model m',
  'database migrate': '',
  'database restored': '',
  'account erase': `--account ${account}`,
});

test('every command that changes something writes one entry with its author and subject', async () => {
  const changing = Object.entries(commands).filter(
    ([, command]) => !('prepareOffline' in command) && !('isReadOnly' in command),
  );
  expect(Object.keys(lines()).toSorted()).toEqual(changing.map(([name]) => name).toSorted());
  const made = { KEY: '', OPK: '' };
  for (const [name, flags] of Object.entries(lines())) {
    // They have their own worlds and tests; their entry is written like any other.
    if (name === 'generation deliver' || name === 'account erase') continue;
    if (name === 'ledger mend') {
      await admin.collections.accounts.updateOne({ _id: account }, { $inc: { running: 1 } });
    }
    const before = (await entries()).length;
    const line = flags.replace('KEY', made.KEY).replace('OPK', made.OPK);
    const words = [...name.split(' '), ...line.split(' ').filter((each) => each !== '')];
    const output = await run([...words, '--by', 'ada']);
    const { key_id: key, operator_key_id: operatorKey } = output;
    if (typeof key === 'string') made.KEY ||= key;
    if (typeof operatorKey === 'string') made.OPK ||= operatorKey;
    const [entry, ...more] = (await entries()).slice(before);
    expect([name, more]).toEqual([name, []]);
    expect(entry).toMatchObject({
      action: `command ${name}`,
      email: 'ada',
      role: 'operator',
      outcome: 'done',
      address: 'command line',
    });
    const about = /(acct|key|opk|gen)_\w+/.exec(line)?.[0] ?? operatorKey;
    if (about !== undefined) expect(entry?.targets).toContain(about);
  }
  const [grant] = await admin.models.staffAudit.find({ action: 'command credits grant' }).lean();
  expect(grant).toMatchObject({ reason: 'agreed', result: 'amount 500' });
  const [booked] = await admin.database.ledger.find(account);
  expect(grant?.requestId).toBe(booked?.requestId);
  const texts = JSON.stringify(await entries());
  expect(texts).not.toMatch(/people\.example|fg_operator_/);
});

test('without --by the author is the user of the machine, and a multi-line name is refused', async () => {
  await run(['account', 'suspend', '--account', account]);
  expect((await entries()).at(-1)).toMatchObject({ email: 'the user' });
  expect(() => parseCommandLine(['account', 'suspend', '--account', 'a', '--by', 'a\nb'])).toThrow(
    '--by',
  );
  expect(() => parseCommandLine(['account', 'show', '--account', 'a', '--by', 'ada'])).toThrow();
});

test('a refused command has no entry, or a refused entry if it had begun', async () => {
  const before = (await entries()).length;
  const unknown = ['--account', 'acct_01k00000000000000000000000'];
  await expect(run(['account', 'suspend', ...unknown])).rejects.toMatchObject({
    code: 'account_not_found',
  });
  expect(await entries()).toHaveLength(before);
  const revoked = run(['operator-key', 'revoke', '--key', 'opk_1']);
  await expect(revoked).rejects.toMatchObject({ code: 'operator_key_not_found' });
  expect((await entries()).at(-1)).toMatchObject({ outcome: 'refused', targets: ['opk_1'] });
});

test('a repeated grant changes nothing and has no second entry', async () => {
  const words = ['credits', 'grant', '--account', await admin.newAccount(), '--amount', '5'];
  await run([...words, '--idempotency-key', 'order-9']);
  const before = (await entries()).length;
  await run([...words, '--idempotency-key', 'order-9']);
  expect(await entries()).toHaveLength(before);
});

test('an outcome is written once', async () => {
  const log = createAuditLog(admin.models, describeRefusal);
  const [last] = await log.search(null, null, 1);
  if (!last) throw new Error('there is no entry');
  await log.finish(last.id, 'failed', 'forged', ['acct_forged']);
  const [again] = await log.search(null, null, 1);
  expect(again).toEqual(last);
});

test('no code changes or removes entries, except for the one outcome of an entry that has begun', () => {
  const root = 'gateway/src';
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  );
  const writes = files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const found = text.matchAll(/staffAudit\s*\.\s*(\w+)/g);
    return [...found].map(([, verb = '']) => verb).filter((verb) => !/^(find|insert)/.test(verb));
  });
  expect(writes).toEqual(['updateOne']);
});

test('the export has each entry, oldest first, and no formula', async () => {
  await run(['account', 'resume', '--account', account, '--by', '=1+1']);
  let csv = '';
  const asked = parseCommandLine(['audit', 'export']);
  if (!('work' in asked)) throw new Error('it asks for help');
  const print = async (text: string) => void (csv += text);
  await asked.work({
    audit: createAuditLog(admin.models, describeRefusal),
    print,
  } as unknown as CommandApp);
  const rows = csv.trimEnd().split('\r\n');
  expect(rows).toHaveLength(1 + (await entries()).length);
  expect(rows[0]).toMatch(/^time,entry_id,by,/);
  expect(rows[1]).toContain('command account create');
  expect(rows.at(-1)).toContain(",'=1+1,");
});
