import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startInputHost } from '../../test/faults/inputHost.ts';
import { hostileFiles, type Target } from './target.ts';

/*
 * A storage host in a process of its own: if the measuring process encrypted hundreds of megabytes of hostile files,
 * the gateway would look slow.
 */

/** The host's message to its parent: the settings that lead gateway processes to it, and its files. */
export interface HostileFilesHost {
  env: Record<string, string>;
  files: Target['files'];
}

const folder = await mkdtemp(join(tmpdir(), 'framegate-attack-'));
const host = await startInputHost(folder);
const files = { picture: host.url('attack.png', 'steady') } as Target['files'];
for (const [name, make] of Object.entries(hostileFiles)) {
  files[name as keyof typeof hostileFiles] = host.serve(name, make());
}
process.once('disconnect', () => {
  void host.close().then(() => rm(folder, { recursive: true }));
});
process.send?.({ env: host.env, files } satisfies HostileFilesHost);
