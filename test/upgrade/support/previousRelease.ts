import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { documentedInstall, runNpm } from '../../install/installCopy.ts';
import { projectRoot } from '../../support/runNode.ts';

const migrations = 'gateway/src/adapters/mongo/migrations';

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: projectRoot, stdio: ['ignore', 'pipe', 'pipe'] })
    .toString()
    .trim();
}

/** Searches, in their order; each throws, or finds nothing, where the history lacks it. */
const choices: { what: string; find: () => string }[] = [
  { what: 'the newest release', find: () => git('describe', '--tags', '--abbrev=0', 'HEAD^') },
  {
    what: 'the commit before the newest migration',
    find() {
      const added = git(
        'log',
        '-1',
        '--no-renames',
        '--diff-filter=A',
        '--format=%H',
        '--',
        `${migrations}/0*`,
      );
      return git('rev-parse', `${added}^`);
    },
  },
];

/**
 * The code to which this one has to be a good neighbour: the newest tag, or without one the commit before
 * the newest migration came. Null where the clone has no such history (a shallow one).
 */
export function findPreviousRelease(): { what: string; commit: string } | null {
  for (const { what, find } of choices) {
    try {
      const commit = find();
      if (commit !== '') return { what, commit };
    } catch {
      // Not in this history.
    }
  }
  return null;
}

/** Installs the code of a commit, as docs/operating/installing.md does it, into an empty folder. */
export async function installCommit(commit: string, folder: string): Promise<void> {
  mkdirSync(folder);
  await runNpm(`git -C '${projectRoot}' archive ${commit} | tar -x -C '${folder}'`, folder);
  await runNpm(await documentedInstall(), folder);
}
