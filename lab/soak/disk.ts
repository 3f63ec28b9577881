import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mustRun } from '../../test/support/runProgram.ts';

/** Disks of the members of a replica set, each of which can be made full or slow. */
export interface Disks {
  /** The environment of a member. */
  env: (member: number) => Record<string, string>;
  set(member: number, trouble: 'FULL_FILE' | 'SLOW_FILE', isOn: boolean): Promise<void>;
}

/** Compiles the layer between the members and their disks (disk.c). @throws Error without a C compiler. */
export async function snapshotDisks(folder: string): Promise<Disks> {
  const library = join(folder, 'disk.so');
  const source = join(import.meta.dirname, 'disk.c');
  await mustRun('cc', ['-O2', '-shared', '-fPIC', '-o', library, source, '-ldl'], { cwd: folder });
  const file = (member: number, name: string) => join(folder, `${name}-${member}`);
  return {
    env: (member) => ({
      LD_PRELOAD: library,
      FULL_FILE: file(member, 'FULL_FILE'),
      SLOW_FILE: file(member, 'SLOW_FILE'),
    }),
    async set(member, trouble, isOn) {
      if (isOn) await writeFile(file(member, trouble), '');
      else await rm(file(member, trouble), { force: true });
    },
  };
}
