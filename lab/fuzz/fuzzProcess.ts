import { readdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { MediaTask, MediaVerdict } from '../../gateway/media/src/mediaTask.ts';
import { prepareTask } from '../../gateway/media/src/prepareTask.ts';
import { createChance } from '../../test/faults/chance.ts';
import { boxesOf, chunksOf, elementsOf, riffOf, segmentsOf } from './mediaParts.ts';
import { mutate } from './mutate.ts';

/*
 * Reads mutated files with the code of the media child, one after the other in one process: `node
 * fuzzProcess.ts <folder> <seed> <from> <to>`. Two lines for each file: its number and the task when it is
 * begun, as JSON; then its number, the processor time in ms, the memory in MB and how many tasks were good.
 */

const [folder = '', seed = '1', from = '0', to = '0'] = process.argv.slice(2);
const drop = () => undefined;
Object.assign(console, { log: drop, info: drop, warn: drop, error: drop, debug: drop });

const partsBy = {
  mp4: boxesOf,
  mov: boxesOf,
  m4a: boxesOf,
  webm: elementsOf,
  png: chunksOf,
  jpg: segmentsOf,
  webp: riffOf,
  wav: riffOf,
};
type Extension = keyof typeof partsBy;
const seeds = readdirSync(join(folder, 'seeds'))
  .toSorted()
  .map((name) => ({
    extension: name.split('.').at(-1) as Extension,
    bytes: readFileSync(join(folder, 'seeds', name)),
  }));

const path = join(folder, 'file');
const target = join(folder, 'target');
const maxPixels = 40_000_000;

function tasksFor(extension: Extension): MediaTask[] {
  if (extension === 'mp4') {
    return [
      { task: 'inspect', path, type: 'video', maxPixels, target },
      { task: 'cleanVideo', path, target },
    ];
  }
  if (extension === 'm4a' || extension === 'wav') {
    return [{ task: 'inspect', path, type: 'audio', maxPixels, target }];
  }
  if (extension === 'webm' || extension === 'mov') {
    return [{ task: 'inspect', path, type: 'video', maxPixels, target }];
  }
  return [
    { task: 'inspect', path, type: 'image', maxPixels, target },
    { task: 'encodeImage', path, target, format: 'png', maxPixels },
  ];
}

async function findVerdict(task: MediaTask): Promise<MediaVerdict> {
  const work = await prepareTask(task);
  return work().catch((error: unknown): MediaVerdict => ({ ok: false, reason: String(error) }));
}

for (let number = Number(from); number < Number(to); number += 1) {
  const chance = createChance(Number(seed) * 1_000_003 + number);
  const chosen = seeds[chance.below(seeds.length)];
  if (!chosen) throw new Error(`no seeds in ${folder}`);
  const { extension, bytes } = chosen;
  writeFileSync(
    path,
    mutate(bytes, partsBy[extension], (below) => chance.below(below)),
  );
  const before = process.cpuUsage();
  let good = 0;
  for (const task of tasksFor(extension)) {
    writeSync(1, `begun ${number} ${JSON.stringify(task)}\n`);
    good += Number((await findVerdict(task)).ok);
  }
  const { user, system } = process.cpuUsage(before);
  const [ms, mb] = [(user + system) / 1000, process.memoryUsage.rss() / 1e6];
  writeSync(1, `done ${number} ${Math.round(ms)} ${Math.round(mb)} ${good}\n`);
}
