import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { sum } from '@framegate/contract';

/** A command whose output is held back until it ends. */
export interface Job {
  name: string;
  /** Program and arguments. */
  command: readonly [string, ...string[]];
}

/** A job that has ended. */
export interface DoneJob {
  name: string;
  status: number | null;
  output: string;
  seconds: number;
  /** Processor time of the command and the processes that it awaited, in seconds. */
  processorSeconds: number;
  /** Processor utilisation of the whole machine while it ran, from 0 to 1. */
  utilisation: number;
}

/** Runs jobs in the project's folder in order, two at a time. @param onEnd Called as each ends. */
export async function runInLanes(
  jobs: readonly Job[],
  onEnd: (job: DoneJob) => void,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'framegate-lanes-'));
  const waiting = [...jobs];
  const runLane = async () => {
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
      onEnd(await run(job, join(folder, job.name.replaceAll(':', '-'))));
    }
  };
  await Promise.all([runLane(), runLane()]);
  await rm(folder, { recursive: true, force: true });
}

async function run({ name, command }: Job, path: string): Promise<DoneJob> {
  process.stdout.write(`== ${name} begins\n`);
  const startedAt = performance.now();
  const before = processorTimes();
  const [file, times] = await Promise.all([open(path, 'w'), open(`${path}.times`, 'w')]);
  // A shell reports the processor time of children; Node does not.
  const child = spawn('sh', ['-c', '"$@"; status=$?; times >&3; exit $status', 'sh', ...command], {
    cwd: join(import.meta.dirname, '..'),
    stdio: ['ignore', file.fd, file.fd, times.fd],
  });
  const [status] = (await once(child, 'exit')) as [number | null];
  await Promise.all([file.close(), times.close()]);
  const after = processorTimes();
  return {
    name,
    status,
    output: await readFile(path, 'utf8'),
    seconds: Math.round((performance.now() - startedAt) / 1_000),
    processorSeconds: parseTimes(await readFile(`${path}.times`, 'utf8')),
    utilisation: 1 - (after.idle - before.idle) / (after.all - before.all || 1),
  };
}

/** Adds up the minutes and seconds of user and system time printed by the shell's `times`. */
function parseTimes(printed: string): number {
  const all = [...printed.matchAll(/(\d+)m([\d.]+)s/g)];
  return Math.round(sum(all.map(([, minutes, seconds]) => Number(minutes) * 60 + Number(seconds))));
}

/** Idle and total time of all processors since the machine's start, in ms. */
function processorTimes(): { idle: number; all: number } {
  const times = cpus().map((each) => each.times);
  return {
    idle: sum(times.map(({ idle }) => idle)),
    all: sum(times.flatMap((each) => Object.values(each))),
  };
}

/** A line about a job that has ended. */
export function describeEnd(job: DoneJob): string {
  const { name, status, seconds, processorSeconds, utilisation } = job;
  const end = status === 0 ? '' : `, failed with status ${status}`;
  const share = `processors ${Math.round(utilisation * 100)} % in work`;
  return `== ${name}, ${seconds} s, ${processorSeconds} s of processor time, ${share}${end}\n`;
}
