/** The reason why nothing is released, one sentence for the caller. */
export class ReleaseError extends Error {
  override readonly name = 'ReleaseError';
}

/** Options of `npm run release`. */
export interface ReleaseOptions {
  /** Packs the parts, but only prints the tags. */
  dryRun: boolean;
  /** Skips `npm run check`. */
  skipChecks: boolean;
  /** Packs the tagged commit, as the workflow does, and makes no tag. */
  tagged: boolean;
}

/** The state of the repository and the registries before a release. */
export interface ReleaseState {
  version: string;
  /** Modified and untracked files. */
  changes: readonly string[];
  /** The branch, or null if none is checked out. */
  branch: string | null;
  commit: string;
  /** The commits of existing tags, by tag name. */
  tags: ReadonlyMap<string, string>;
  /** The changelogs of the gateway and its packages, by path. */
  changelogs: ReadonlyMap<string, string>;
  /** Package names that the project does not yet own in their registries. */
  unregistered: readonly string[];
}

const names = ['--dry-run', '--skip-checks', '--tagged'] as const;

/** @throws ReleaseError for an unknown option. */
export function parseOptions(words: readonly string[]): ReleaseOptions {
  const unknown = words.filter((word) => !names.some((name) => name === word));
  if (unknown.length > 0) {
    throw new ReleaseError(`Unknown option: ${unknown.join(', ')}. Options: ${names.join(', ')}.`);
  }
  const has = (name: (typeof names)[number]) => words.includes(name);
  return { dryRun: has('--dry-run'), skipChecks: has('--skip-checks'), tagged: has('--tagged') };
}

/** The tags of a version: the release's, and the Go module's, which Go requires to start with its folder. */
export const tagsOf = (version: string) => [`v${version}`, `integrations/go/v${version}`] as const;

/**
 * Checks that this commit can be released.
 * @returns The passed checks, one line each.
 * @throws ReleaseError at the first failed check.
 */
export function checkReleaseState(seen: ReleaseState, options: ReleaseOptions): string[] {
  const { version, changes, changelogs } = seen;
  if (changes.length > 0) {
    const [first = '', ...more] = changes;
    const others = more.length > 0 ? ` and ${more.length} more` : '';
    throw new ReleaseError(
      `The working tree is not clean (${first}${others}): commit or remove it.`,
    );
  }
  const passed = ['the working tree is clean', ...checkPlace(seen, options)];
  const { unregistered } = seen;
  if (unregistered.length > 0 && !options.dryRun) {
    const missing = unregistered.join(', ');
    throw new ReleaseError(
      `Not registered yet: ${missing}. PUBLISHING.md of each begins with that.`,
    );
  }
  const heading = `## ${version}`;
  const without = [...changelogs].filter(([, text]) => !text.split('\n').includes(heading));
  if (without.length > 0) {
    const files = without.map(([file]) => file).join(', ');
    throw new ReleaseError(`No section "${heading}" in ${files}: write it first.`);
  }
  return [...passed, `${changelogs.size} changelogs have the section "${heading}"`];
}

/** Checks the branch and the tags. */
function checkPlace(seen: ReleaseState, { dryRun, tagged }: ReleaseOptions): string[] {
  const { version, branch, commit, tags } = seen;
  const [tag] = tagsOf(version);
  if (tagged) {
    if (tags.get(tag) === commit) return [`${tag} is the tag of this commit`];
    throw new ReleaseError(`This commit does not have the tag ${tag}, which --tagged asks for.`);
  }
  const [existing] = tags;
  if (existing) {
    const [name, at] = existing;
    throw new ReleaseError(
      `The tag ${name} exists already, at ${at.slice(0, 8)}: raise "version" in package.json and run "npm run generate".`,
    );
  }
  const place = branch === null ? 'no branch' : `branch ${branch}`;
  if (branch !== 'main' && !dryRun) {
    throw new ReleaseError(`A release is made from the branch main, and this is ${place}.`);
  }
  return [branch === 'main' ? place : `${place}; a release needs main`, `no tag ${tag} yet`];
}
