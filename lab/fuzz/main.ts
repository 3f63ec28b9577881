import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import sharp from 'sharp';
import { minuteMs } from '@framegate/contract';
import { inputLimits } from '../../gateway/media/src/childLimits.ts';
import { runMediaChild } from '../../gateway/media/src/mediaChild.ts';
import type { MediaTask } from '../../gateway/media/src/mediaTask.ts';
import { encodeStripes, encodeTone, mux } from '../../gateway/media/test/makeMedia.ts';
import { say } from '../figures.ts';
import { parseOptions } from '../options.ts';

/*
 * `npm run fuzz -- [--count 100000] [--seed 1] [--from 0]`: real files, changed by their parts, are read and cleaned
 * by the code of the media child. Each must come to a verdict within the processor time of an input and
 * a bound of memory, or be ended by the limits of a real child; none may end the process. Failures are
 * reported by seed and number, at which `--from` begins.
 */

const { count, seed, from: first } = parseOptions({ count: 1_000, seed: 1, from: 0 }).values;
const processorMs = inputLimits.processorSeconds * 1000;
/** Bound for a process that has read thousands of files, its garbage included. */
const memoryMb = 900;
/** Silence of a worker that means that a library loops over its file, in ms. */
const silenceMs = 1_500;
/** How long a worker may take from its start to its first file, in ms: seconds on a busy machine. */
const startMs = minuteMs;
/** Maximum number of such files given to a real child; later ones are only counted. */
const maxFilesInChild = 50;

async function writeSeeds(folder: string): Promise<void> {
  const [avc, vp8, tone, wave] = [
    await encodeStripes('avc', 0.5),
    await encodeStripes('vp8', 0.5),
    await encodeTone('aac', 0.5),
    await encodeTone('pcm-s16', 0.1),
  ];
  const both = {
    video: { codec: 'avc' as const, packets: avc },
    audio: { codec: 'aac' as const, packets: tone },
  };
  const picture = sharp({
    create: {
      width: 64,
      height: 48,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  }).withMetadata();
  const seeds: [string, Uint8Array][] = [
    ['a.mp4', await mux('mp4', both)],
    ['fragmented.mp4', await mux('mp4, fragmented', both)],
    ['a.mov', await mux('mov', both)],
    ['a.m4a', await mux('mp4', { audio: both.audio })],
    ['a.webm', await mux('webm', { video: { codec: 'vp8', packets: vp8 } })],
    ['a.wav', await mux('wav', { audio: { codec: 'pcm-s16', packets: wave } })],
    ['a.png', await picture.clone().png().toBuffer()],
    ['interlaced.png', await picture.clone().png({ progressive: true }).toBuffer()],
    ['a.jpg', await picture.clone().jpeg().toBuffer()],
    ['progressive.jpg', await picture.clone().jpeg({ progressive: true }).toBuffer()],
    ['a.webp', await picture.clone().webp().toBuffer()],
  ];
  await mkdir(join(folder, 'seeds'));
  for (const [name, bytes] of seeds) await writeFile(join(folder, 'seeds', name), bytes);
}

const problems: string[] = [];
const max = { ms: 0, mb: 0 };
/** `limited`: without end, or beyond the heap, so that only the limits of a child end it. */
const sums = { good: 0, invalid: 0, limited: 0 };

/** Runs a worker from a file on. @returns The number of the file after the last one that it began. */
async function run(folder: string, from: number): Promise<number> {
  const worker = join(import.meta.dirname, 'fuzzProcess.ts');
  const args = [worker, folder, String(seed), String(from), String(count)];
  const child = spawn(process.execPath, ['--max-old-space-size=192', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {},
  });
  const ended = new Promise<string>((resolve) => {
    child.once('close', (code, signal) => {
      resolve(signal ?? `status ${String(code)}`);
    });
  });
  const state = { at: from, task: null as MediaTask | null, isSilent: false };
  const listen = (ms: number) =>
    setTimeout(() => {
      state.isSilent = true;
      child.kill('SIGKILL');
    }, ms);
  let silence = listen(startMs);
  for await (const line of createInterface({ input: child.stdout })) {
    clearTimeout(silence);
    silence = listen(silenceMs);
    const [word, number, ...rest] = line.split(' ');
    state.at = Number(number);
    if (word === 'begun') state.task = JSON.parse(rest.join(' ')) as MediaTask;
    else record(state.at, rest.map(Number));
  }
  clearTimeout(silence);
  const how = await ended;
  if (how === 'status 0') return count;
  // V8 ends by SIGABRT at its heap limit; a worker has the same limit as a child.
  if (state.task && (state.isSilent || how === 'SIGABRT')) await tryInChild(state.at, state.task);
  else problems.push(`${String(state.at)} ended the process by ${how}`);
  return state.at + 1;
}

function record(number: number, [ms = 0, mb = 0, good = 0]: number[]): void {
  sums[good > 0 ? 'good' : 'invalid'] += 1;
  max.ms = Math.max(max.ms, ms);
  max.mb = Math.max(max.mb, mb);
  if (ms > processorMs || mb > memoryMb) {
    problems.push(`${number} took ${ms} ms and ${mb} MB`);
  }
}

/**
 * Gives a file over which a library loops or exceeds the heap to a real child, whose limits must end it. A child that
 * answers shows that the worker was only slow, as on a busy machine.
 */
async function tryInChild(number: number, task: MediaTask): Promise<void> {
  sums.limited += 1;
  if (sums.limited > maxFilesInChild) return;
  const end = await runMediaChild(task, inputLimits, new AbortController().signal);
  const how = end.kind === 'noResponse' ? end.how : end.kind;
  say(`${number} (${task.task}) in a child: ${how}`);
  if (!['outOfProcessorTime', 'answered', 'SIGABRT'].includes(how)) {
    problems.push(`${number} ends a child by ${how}`);
  }
}

const folder = await mkdtemp(join(tmpdir(), 'framegate-fuzz-'));
try {
  await writeSeeds(folder);
  for (let from = first; from < count;) from = await run(folder, from);
} finally {
  await rm(folder, { recursive: true });
}
say(JSON.stringify({ seed, ...sums, most: max }));
for (const problem of problems) say(`FAULT ${problem}`);
process.exitCode = problems.length > 0 ? 1 : 0;
