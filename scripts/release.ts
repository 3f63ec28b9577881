import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unregisteredNames } from '../gateway/src/http/site/clients/clientPackages.ts';
import manifest from '../package.json' with { type: 'json' };
import {
  checkReleaseState,
  parseOptions,
  ReleaseError,
  type ReleaseOptions,
  type ReleaseState,
  tagsOf,
} from './release/checks.ts';
import { parts, type Release } from './release/parts.ts';
import { MissingToolError, run } from './release/run.ts';

/**
 * `npm run release [-- --dry-run] [--skip-checks] [--tagged]`: checks this commit, packs every package into
 * dist/release, and makes the tags. Pushing them makes .github/workflows/release.yml do the same and publish.
 * See docs/releasing.md. Exits with status 1, without a tag, if a part cannot be made here.
 */
const root = join(import.meta.dirname, '..');
const { version, repository } = manifest;
const tags = tagsOf(version);

const say = (line: string) => process.stdout.write(`${line}\n`);
const git = (...args: string[]) => run('git', args, root);
const lines = (text: string) => text.split('\n').filter((line) => line !== '');

function look(): ReleaseState {
  const changelogs = ['CHANGELOG.md', ...lines(git('ls-files', 'integrations/*/CHANGELOG.md'))];
  const existing = lines(git('tag', '--list', ...tags));
  return {
    version,
    changes: lines(git('status', '--porcelain')).map((line) => line.slice(3)),
    branch: git('branch', '--show-current') || null,
    commit: git('rev-parse', 'HEAD'),
    tags: new Map(existing.map((tag) => [tag, git('rev-list', '--max-count=1', tag)])),
    unregistered: unregisteredNames(),
    changelogs: new Map(changelogs.map((file) => [file, readFileSync(join(root, file), 'utf8')])),
  };
}

/** @throws ReleaseError if they fail. */
function runChecks(): void {
  const { status } = spawnSync('npm', ['run', 'check'], { cwd: root, stdio: 'inherit' });
  if (status !== 0) {
    throw new ReleaseError('"npm run check" failed: nothing was packed or tagged.');
  }
}

/** Packs all parts from a copy of the commit. @returns The parts that this machine cannot make. */
function pack(commit: string): string[] {
  const temporary = mkdtempSync(join(tmpdir(), 'framegate-release-'));
  const copy = join(temporary, 'framegate');
  const out = join(root, 'dist/release');
  try {
    git('checkout-index', '--all', `--prefix=${copy}/`);
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    for (const each of [out, join(root, 'dist/clients')]) {
      rmSync(each, { recursive: true, force: true });
    }
    mkdirSync(out, { recursive: true });
    const committedAt = git('show', '--no-patch', '--format=%cI', commit);
    return packParts({ version, commit, committedAt, repository, root, copy, out });
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function packParts(release: Release): string[] {
  const missing: string[] = [];
  for (const part of parts) {
    const { name } = part;
    try {
      part.requirePrograms?.(root);
      say(`  ${name}: ${part.make(release).join(', ')}`);
    } catch (error) {
      if (!(error instanceof MissingToolError)) throw new Error(`${name}: ${String(error)}`);
      missing.push(name);
      say(`  ${name}: not made, this needs ${error.message}; the workflow has it`);
    }
  }
  return missing;
}

/** @throws ReleaseError if this machine lacks a program for a part: a release has all its parts. */
function lookForPrograms(): void {
  const lacking = parts.flatMap(({ name, requirePrograms: needs }) => {
    try {
      needs?.(root);
      return [];
    } catch (error) {
      if (!(error instanceof MissingToolError)) throw error;
      return [`${name} needs ${error.message}`];
    }
  });
  if (lacking.length > 0) {
    throw new ReleaseError(`Nothing was packed or tagged: ${lacking.join(', ')}.`);
  }
}

function makeTags({ dryRun, tagged }: ReleaseOptions): void {
  if (tagged) return;
  say(dryRun ? 'Tags, which a dry run only names:' : 'Tags, at this commit:');
  for (const tag of tags) {
    if (!dryRun) git('tag', '--annotate', '--message', `Framegate ${version}`, tag);
    say(`  ${tag}`);
  }
  say(`Next: git push origin ${tags.join(' ')}`);
}

const publishing = `The workflow release.yml does the same for a pushed tag, and then publishes:
  ghcr.io: the image
  npm: @framegate/client, @framegate/operator, @framegate/ai-sdk-provider, @framegate/node-red,
    @framegate/piece-framegate
  PyPI: framegate
  GitHub: a release with every file of dist/release
By hand, from repositories of their own: n8n, Go and Zapier (PUBLISHING.md in integrations).`;

function release(words: readonly string[]): number {
  const options = parseOptions(words);
  const seen = look();
  const passed = checkReleaseState(seen, options);
  say(
    `Framegate ${version}, commit ${seen.commit.slice(0, 8)}${options.dryRun ? ', dry run' : ''}`,
  );
  if (!options.dryRun) lookForPrograms();
  say('Checks:');
  for (const each of passed) say(`  ${each}`);
  say(`  npm run check${options.skipChecks ? ': left out' : ''}`);
  if (!options.skipChecks) runChecks();
  say('Packed into dist/release:');
  const missing = pack(seen.commit);
  const isWhole = missing.length === 0;
  if (isWhole || options.dryRun) makeTags(options);
  say(publishing);
  say(isWhole ? 'Everything was made.' : `Not made: ${missing.join(', ')}.`);
  return isWhole || options.dryRun ? 0 : 1;
}

try {
  process.exitCode = release(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof ReleaseError ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
