import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contractHash, clientListName, sha256 } from '../../gateway/src/compose/clientFiles.ts';
import type { ClientList } from '../../gateway/src/compose/clientFiles.ts';
import {
  clientPackages,
  type ClientFolder,
} from '../../gateway/src/http/site/clients/clientPackages.ts';
import { MissingTool, run } from './run.ts';

/** Packages that are being packed. */
export interface Packing {
  version: string;
  /** The project's repository, for the manifests of packages that are published from it. */
  repository: { type: string; url: string };
  /** A copy of the project's folder `integrations`, with the project's node_modules beside it; it is changed. */
  copy: string;
  /** Where the files are put. */
  out: string;
}

/** Makes the files of a package. @throws MissingTool if this machine cannot, Error if it fails. */
type Pack = (packing: Packing) => void;

/** Builds a package in its folder, and packs it; the same files give the same tarball. */
function packForNpm({ copy, out }: Packing, folder: string): void {
  const place = join(copy, 'integrations', folder);
  run('npm', ['run', 'build'], place);
  run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', out], place);
}

/** A package that is published from the project's own repository. */
const published =
  (folder: string, prepare?: Pack): Pack =>
  (packing) => {
    const file = join(packing.copy, 'integrations', folder, 'package.json');
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as object;
    // npm takes a provenance statement only for the repository that the package names.
    const repository = { ...packing.repository, directory: `integrations/${folder}` };
    writeFileSync(file, `${JSON.stringify({ ...manifest, repository }, null, 2)}\n`);
    prepare?.(packing);
    packForNpm(packing, folder);
  };

/** Installs the tools of a package that the project does not have. */
const withOwnTools =
  (folder: string): Pack =>
  ({ copy }) => {
    const words = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
    run('npm', words, join(copy, 'integrations', folder));
  };

/** A package of another repository, or of none. */
const apart =
  (folder: string): Pack =>
  (packing) => {
    withOwnTools(folder)(packing);
    packForNpm(packing, folder);
  };

function packPython({ copy, out }: Packing): void {
  const folder = join(copy, 'integrations/python');
  try {
    run('python3', ['-c', 'import hatchling'], folder);
  } catch {
    throw new MissingTool('python3 with integrations/python/requirements-dev.txt');
  }
  run('python3', ['-m', 'hatchling', 'build', '-d', out], folder);
}

const packs: Readonly<Partial<Record<ClientFolder, Pack>>> = {
  typescript: published('typescript'),
  operator: published('operator'),
  'ai-sdk': published('ai-sdk'),
  'node-red': published('node-red', withOwnTools('node-red')),
  activepieces: published('activepieces', withOwnTools('activepieces')),
  // n8n takes a package only from a repository that it has to itself.
  n8n: apart('n8n'),
  zapier: apart('zapier'),
  python: packPython,
};

/** The packages in the order in which they are made, each with the names of its files. */
export const clientParts = (Object.entries(packs) as [ClientFolder, Pack][]).map(
  ([folder, pack]) => ({
    name: `client ${folder}`,
    make(packing: Packing): readonly string[] {
      pack(packing);
      return clientPackages[folder].files(packing.version);
    },
  }),
);

/** Puts packages where the gateway serves them from, with their list. @param from The folder where they were packed. */
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
