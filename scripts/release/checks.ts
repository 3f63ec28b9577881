/** Why nothing is released, in one sentence for the person who called. */
export class Refusal extends Error {}

/** Options of `npm run release`. */
export interface ReleaseOptions {
  /** Packs, and only names the tags. */
  dryRun: boolean;
  /** Leaves out `npm run check`. */
  skipChecks: boolean;
  /** Packs the commit that has the version's tag, as the workflow does, and makes no tag. */
  tagged: boolean;
}

/** What a release looks at before it writes anything. */
export interface Surroundings {
  version: string;
  /** Files that differ from the commit, and files that Git does not know. */
  changes: readonly string[];
  /** The branch, or null if none is checked out. */
  branch: string | null;
  commit: string;
  /** The commit of each tag that exists already, by its name. */
  tags: ReadonlyMap<string, string>;
  /** The changelogs of the gateway and its packages, by path. */
  changelogs: ReadonlyMap<string, string>;
  /** Names of packages that do not belong to the project in their registries. */
  unregistered: readonly string[];
}

const names = ['--dry-run', '--skip-checks', '--tagged'] as const;

/** @throws Refusal for a word that is no option. */
export function readOptions(words: readonly string[]): ReleaseOptions {
  const unknown = words.filter((word) => !names.some((name) => name === word));
  if (unknown.length > 0) {
    throw new Refusal(`Unknown option: ${unknown.join(', ')}. Options: ${names.join(', ')}.`);
  }
  const has = (name: (typeof names)[number]) => words.includes(name);
  return { dryRun: has('--dry-run'), skipChecks: has('--skip-checks'), tagged: has('--tagged') };
}

/** The tags of a version: of the release, and of its Go module, which Go expects to name its folder. */
export const tagsOf = (version: string) => [`v${version}`, `integrations/go/v${version}`] as const;

/**
 * Checks that this commit can be released.
 * @returns What holds, a line each.
 * @throws Refusal at the first thing that does not.
 */
export function checkSurroundings(seen: Surroundings, options: ReleaseOptions): string[] {
  const { version, changes, changelogs } = seen;
  if (changes.length > 0) {
    const [first = '', ...more] = changes;
    const others = more.length > 0 ? ` and ${String(more.length)} more` : '';
    throw new Refusal(`The working tree is not clean (${first}${others}): commit or remove it.`);
  }
  const held = ['the working tree is clean', ...checkPlace(seen, options)];
  const { unregistered } = seen;
  if (unregistered.length > 0 && !options.dryRun) {
    const names = unregistered.join(', ');
    throw new Refusal(`Not registered yet: ${names}. PUBLISHING.md of each begins with that.`);
  }
  const heading = `## ${version}`;
  const without = [...changelogs].filter(([, text]) => !text.split('\n').includes(heading));
  if (without.length > 0) {
    const files = without.map(([file]) => file).join(', ');
    throw new Refusal(`No section "${heading}" in ${files}: write it first.`);
  }
  return [...held, `${String(changelogs.size)} changelogs have the section "${heading}"`];
}

/** Branch and tags. */
function checkPlace(seen: Surroundings, { dryRun, tagged }: ReleaseOptions): string[] {
  const { version, branch, commit, tags } = seen;
  const [tag] = tagsOf(version);
  if (tagged) {
    if (tags.get(tag) === commit) return [`${tag} is the tag of this commit`];
    throw new Refusal(`This commit does not have the tag ${tag}, which --tagged asks for.`);
  }
  const [existing] = tags;
  if (existing) {
    const [name, at] = existing;
    throw new Refusal(
      `The tag ${name} exists already, at ${at.slice(0, 8)}: raise "version" in package.json and run "npm run generate".`,
    );
  }
  const place = branch === null ? 'no branch' : `branch ${branch}`;
  if (branch !== 'main' && !dryRun) {
    throw new Refusal(`A release is made from the branch main, and this is ${place}.`);
  }
  return [branch === 'main' ? place : `${place}; a release needs main`, `no tag ${tag} yet`];
}
