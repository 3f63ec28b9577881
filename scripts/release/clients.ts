import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ClientList,
  clientListName,
  contractHash,
  sha256,
} from '../../gateway/src/compose/clientFiles.ts';
import {
  type ClientFolder,
  clientPackages,
} from '../../gateway/src/http/site/clients/clientPackages.ts';
import { ownTools } from './ownTools.ts';
import { needsProgram, run } from './run.ts';

/** Packages that are being packed. */
export interface PackContext {
  version: string;
  /** The project's repository, for the manifests of packages published from it. */
  repository: { type: string; url: string };
  /** The project, whose folders keep the packages' tools for the next time. */
  root: string;
  /** A copy of the project's folder `integrations`, with the project's node_modules next to it; it is changed. */
  copy: string;
  /** The output folder. */
  out: string;
}

/** Makes the files of a package. @throws Error if that fails. */
type PackFunction = (packing: PackContext) => void;

/** Builds a package in its folder and packs it, reproducibly. */
function packForNpm({ copy, out }: PackContext, folder: string): void {
  const place = join(copy, 'integrations', folder);
  run('npm', ['run', 'build', '--if-present'], place);
  run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', out], place);
}

/** A package published from the project's own repository. */
const publishedPackage =
  (folder: string): PackFunction =>
  (packing) => {
    const file = join(packing.copy, 'integrations', folder, 'package.json');
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as object;
    // npm takes a provenance statement only for the repository that the package names.
    const repository = { ...packing.repository, directory: `integrations/${folder}` };
    writeFileSync(file, `${JSON.stringify({ ...manifest, repository }, null, 2)}\n`);
    packForNpm(packing, folder);
  };

function packPython({ copy, out }: PackContext): void {
  const folder = join(copy, 'integrations/python');
  run('python3', ['-m', 'hatchling', 'build', '-d', out], folder);
}

/** The Go module as a reproducible archive with npm's layout. */
function packGo(packing: PackContext): void {
  const file = join(packing.copy, 'integrations/go/package.json');
  const files = ['*.go', '!*_test.go', 'api', 'go.mod', 'go.sum', 'CHANGELOG.md'];
  writeFileSync(file, JSON.stringify({ name: 'framegate-go', version: packing.version, files }));
  packForNpm(packing, 'go');
}

/** Checks for programs that packages need besides npm. */
const needs: Readonly<Partial<Record<ClientFolder, (root: string) => void>>> = {
  python: needsProgram(
    ['python3', '-c', 'import hatchling'],
    'python3 with integrations/python/requirements-dev.txt',
  ),
};

const packs: Readonly<Partial<Record<ClientFolder, PackFunction>>> = {
  typescript: publishedPackage('typescript'),
  operator: publishedPackage('operator'),
  'ai-sdk': publishedPackage('ai-sdk'),
  'node-red': publishedPackage('node-red'),
  activepieces: publishedPackage('activepieces'),
  // n8n accepts a package only from a repository of its own.
  n8n: (packing) => packForNpm(packing, 'n8n'),
  zapier: (packing) => packForNpm(packing, 'zapier'),
  python: packPython,
  go: packGo,
};

/** Packages built with tools of their own. */
export const foldersWithTools: readonly ClientFolder[] = [
  'node-red',
  'activepieces',
  'n8n',
  'zapier',
];

function giveTools({ root, copy }: PackContext, folder: ClientFolder): void {
  const tools = ownTools(join(root, 'integrations', folder));
  symlinkSync(tools, join(copy, 'integrations', folder, 'node_modules'));
}

/** The packages in build order, each with the names of its files. */
export const clientParts = (Object.entries(packs) as [ClientFolder, PackFunction][]).map(
  ([folder, pack]) => ({
    name: `client ${folder}`,
    ...(needs[folder] && { requirePrograms: needs[folder] }),
    make(packing: PackContext): readonly string[] {
      if (foldersWithTools.includes(folder)) giveTools(packing, folder);
      pack(packing);
      return clientPackages[folder].files(packing.version);
    },
  }),
);

/** Copies packed packages to the folder that the gateway serves, and lists them. @param from The packed files. */
export function placeClients(
  from: string,
  folder: string,
  { version, names }: { version: string; names: readonly string[] },
): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const files = names.map((name): [string, string] => {
    const bytes = readFileSync(join(from, name));
    writeFileSync(join(folder, name), bytes);
    return [name, sha256(bytes)];
  });
  const list: ClientList = { version, contract: contractHash(), files: Object.fromEntries(files) };
  writeFileSync(join(folder, clientListName), `${JSON.stringify(list, null, 2)}\n`);
}
