import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { MongoClient } from 'mongodb';
import { connectAdmin } from '../../test/admin/connect.ts';
import { fillLedger, generationsEach } from '../../test/faults/fillLedger.ts';
import { head, row, say, seconds } from '../figures.ts';
import { parseOptions } from '../options.ts';
import { thisTree, withBenchWorld } from './benchWorld.ts';
import { readCounters, readStat } from './costs.ts';

/**
 * `npm run bench:verify -- [N] [--profile FOLDER]`: time and processor time of `ledger verify` over N generations
 * (100,000), and the same for a million. Linux only.
 */
const { values, words } = parseOptions({ profile: '' }, true);
const generationCount = Number(words[0] ?? 100_000);
if (!Number.isSafeInteger(generationCount) || generationCount < 1) {
  throw new Error('it takes a number of generations');
}
const accounts = Math.ceil(generationCount / generationsEach);
const perMillion = 1_000_000 / (accounts * generationsEach);

await withBenchWorld(async ({ uri }) => {
  process.env['TEST_MONGODB_URI'] = uri;
  const admin = await connectAdmin();
  const client = new MongoClient(admin.uri);
  try {
    await fillLedger(admin, accounts);
    const profile = values.profile === '' ? [] : ['--cpu-prof', `--cpu-prof-dir=${values.profile}`];
    const [before, own, begun] = [
      await readCounters(client, process.pid),
      await readStat('self'),
      performance.now(),
    ];
    const command = spawn(
      process.execPath,
      [
        ...['--min-semi-space-size=32', '--max-semi-space-size=32', ...profile],
        ...['gateway/src/admin.ts', 'ledger', 'verify'],
      ],
      {
        cwd: thisTree,
        env: { ...process.env, MONGODB_URI: admin.uri },
        stdio: ['ignore', 'inherit', 'inherit'],
      },
    );
    const [status] = (await once(command, 'exit')) as [number | null];
    if (status !== 0) throw new Error(`ledger verify ended with ${status}`);
    const tookMs = performance.now() - begun;
    const commandMs = (await readStat('self')).endedChildrenMs - own.endedChildrenMs;
    const mongodMs = (await readCounters(client, process.pid)).mongodMs - before.mongodMs;
    say(head(['', `${accounts * generationsEach} generations`, 'for a million']));
    for (const [name, ms] of [
      ['by the clock', tookMs],
      ['processor time of the command', commandMs],
      ['processor time of mongod', mongodMs],
    ] as const) {
      say(row([name, seconds(ms), seconds(ms * perMillion)]));
    }
  } finally {
    await client.close();
    await admin.close();
  }
});
