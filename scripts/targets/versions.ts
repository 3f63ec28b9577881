import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import type { Target } from '../target.ts';

const { version, workspaces } = manifest;
if (!/^\d+\.\d+\.\d+$/.test(version)) {
  throw new Error(
    `the version in package.json must have three numbers, such as 1.4.0, not ${version}`,
  );
}
const root = join(import.meta.dirname, '../..');
const integrations = readdirSync(join(root, 'integrations')).map((name) => `integrations/${name}`);

/** The manifests of all released packages, and of the sample that depends on them. */
const manifests = ['.', ...workspaces, ...integrations, 'docs/examples/pc-product']
  .map((folder) => join(folder, 'package.json'))
  .filter((file) => existsSync(join(root, file)));
const locks = manifests
  .map((file) => file.replace(/\.json$/, '-lock.json'))
  .filter((file) => existsSync(join(root, file)));
const names = manifests.map(
  (file) => (JSON.parse(readFileSync(join(root, file), 'utf8')) as { name: string }).name,
);
const anyName = names.join('|');

/** A package's version after its name, and the versions of its dependencies on sibling packages. */
const inManifests = new RegExp(
  `(?<="name": "(?:${anyName})",\\n +"version": "|"(?:${anyName})": ")\\d+\\.\\d+\\.\\d+(?=")`,
  'g',
);

/** The version in an image name, such as `framegate:1.4.0`. */
const inImageNames = /(?<=framegate:)\d+\.\d+\.\d+/g;

/** The version in a constant, and in an example of a user agent, such as `framegate-cli/1.4.0`. */
const inUserAgents = /(?<=^const version = '|framegate-[a-z-]+\/)\d+\.\d+\.\d+/gm;

/** The version in a package's path at a gateway, such as `/clients/framegate-client-1.4.0.tgz`. */
const inClientPaths = /(?<=\/clients\/[a-z0-9-]*-)\d+\.\d+\.\d+/g;

/** The patterns of the version in each file. */
const places: readonly (readonly [file: string, pattern: RegExp])[] = [
  ...[...manifests, ...locks].map((file) => [file, inManifests] as const),
  ['Dockerfile', /(?<=^ARG VERSION=")[^"]+/gm],
  ['deploy/helm/framegate/Chart.yaml', /(?<=^(?:v|appV)ersion: )\S+/gm],
  ['docs/deploy/compose.md', inImageNames],
  ['docs/deploy/kubernetes.md', inImageNames],
  ['integrations/ai-sdk/src/version.ts', inUserAgents],
  ['integrations/operator/src/version.ts', inUserAgents],
  ['integrations/typescript/src/version.ts', inUserAgents],
  ['integrations/typescript/README.md', inUserAgents],
  ['integrations/go/README.md', /(?<=framegate-go@v)\d+\.\d+\.\d+/g],
  ...['activepieces', 'ai-sdk', 'go', 'n8n', 'node-red', 'operator', 'python', 'typescript'].map(
    (name) => [`integrations/${name}/README.md`, inClientPaths] as const,
  ),
  ['docs/mcp.md', inClientPaths],
  ['integrations/go/client.go', /(?<=^const Version = ")[^"]+/gm],
  ['integrations/python/src/framegate/_version.py', /(?<=^__version__ = ")[^"]+/gm],
];

/** The version of the root package.json, written everywhere else. */
export const versions: readonly Target[] = places.map(([file, pattern]) => ({
  file,
  plain: true,
  content(current) {
    if (current.search(pattern) < 0) throw new Error(`${file} has no version where it is expected`);
    return current.replace(pattern, version);
  },
}));
