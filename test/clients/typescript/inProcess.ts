import { join } from 'node:path';
import { run } from '../../../integrations/typescript/src/cli/run.ts';
import { hurriedPlatform } from './hurriedPlatform.ts';
import type { PackedWorld } from './packedWorld.ts';

/** Options for running the command line. */
export interface InProcess {
  /** Replaces the environment that signs in. */
  env?: Record<string, string>;
  isTTY?: boolean;
  /** A person's answer when asked. */
  answers?: string[];
}

/** Runs the command line in this process, on a hurried clock. */
export async function runInProcess(
  { world, env }: Pick<PackedWorld, 'world' | 'env'>,
  args: readonly string[],
  more: InProcess = {},
) {
  const written = { stdout: '', stderr: '' };
  const answers = [...(more.answers ?? [])];
  const isTTY = more.isTTY ?? false;
  const status = await run(
    args,
    {
      env: more.env ?? env,
      stdout: { isTTY, write: (text: string) => (written.stdout += text) },
      stderr: { isTTY, write: (text: string) => (written.stderr += text) },
      ask: async () => answers.shift() ?? '',
      signal: new AbortController().signal,
      configFolder: join(world.folder, 'config'),
      platform: hurriedPlatform(),
    },
    '1.2.3',
  );
  return { status, ...written };
}

/** JSON lines in its output. */
export const eventsOf = (stdout: string) =>
  stdout
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Record<string, unknown>]));
