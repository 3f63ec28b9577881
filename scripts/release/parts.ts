import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clientParts, placeClients } from './clients.ts';
import { needsProgram, run } from './run.ts';
import { productionSbom, type Sbom } from './sbom.ts';

/** A release that is being packed. */
export interface Release {
  version: string;
  commit: string;
  /** ISO 8601. */
  committedAt: string;
  /** The project's repository, for the manifests of packages published from it. */
  repository: { type: string; url: string };
  /** The project, with its Git history. */
  root: string;
  /** A copy of the commit's files, in a folder called framegate, with the project's node_modules. */
  copy: string;
  /** The output folder. */
  out: string;
}

/** The folder of the clients that the gateway serves. */
const clientsPlace = 'gateway/clients';

/** A part of a release. */
interface Part {
  name: string;
  /** Checks for programs that not every machine has. @throws MissingToolError */
  requirePrograms?: (root: string) => void;
  /**
   * Makes it.
   * @returns The names of its files.
   * @throws Error if that fails.
   */
  make(release: Release): readonly string[];
}

/** A copy of the clients in the folder that the gateway serves, for the source and the image. */
const placedClients: Part = {
  name: 'clients for the gateway',
  make({ version, copy, out }) {
    placeClients(out, join(copy, clientsPlace), { version, names: readdirSync(out).toSorted() });
    // For the workflow, which builds its image from this folder.
    cpSync(join(copy, clientsPlace), join(out, '../clients'), { recursive: true, force: true });
    return readdirSync(join(copy, clientsPlace));
  },
};

/** The chart, packed by Git like `helm package` but reproducibly. */
const chart: Part = {
  name: 'Helm chart',
  make({ version, root, out }) {
    const file = `framegate-${version}.tgz`;
    const folder = join(root, 'deploy/helm/framegate');
    run('git', ['archive', '--prefix', 'framegate/', '-o', join(out, file), 'HEAD'], folder);
    return [file];
  },
};

const source: Part = {
  name: 'source',
  make({ version, root, copy, out }) {
    const file = `framegate-${version}-source.tar.gz`;
    const prefix = `framegate-${version}/`;
    const clients = readdirSync(join(copy, clientsPlace)).flatMap((name) => [
      ...['--prefix', `${prefix}${clientsPlace}/`],
      ...['--add-file', join(copy, clientsPlace, name)],
    ]);
    const words = ['archive', ...clients, '--prefix', prefix, '-o', join(out, file), 'HEAD'];
    run('git', words, root);
    return [file];
  },
};

/** The image for this machine's processor, to prove that it builds; the workflow pushes its own. */
const image: Part = {
  name: 'image',
  requirePrograms: needsProgram(
    ['docker', 'version', '--format', '{{.Server.Version}}'],
    'a running Docker',
  ),
  make({ version, commit, copy }) {
    const tag = `framegate:${version}`;
    run('docker', ['build', '--tag', tag, '--build-arg', `REVISION=${commit}`, '.'], copy);
    return [`${tag}, in Docker`];
  },
};

const sbom: Part = {
  name: 'contents (CycloneDX)',
  make({ version, commit, committedAt, copy, out }) {
    const all = run('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], copy);
    const listed = productionSbom(JSON.parse(all) as Sbom, commit, committedAt);
    const file = `framegate-${version}.cdx.json`;
    writeFileSync(join(out, file), `${JSON.stringify(listed, null, 2)}\n`);
    return [file];
  },
};

const checksums: Part = {
  name: 'checksums',
  make({ out }) {
    const lines = readdirSync(out)
      .toSorted()
      .map((name) => {
        const hash = createHash('sha256').update(readFileSync(join(out, name)));
        return `${hash.digest('hex')}  ${name}\n`;
      });
    writeFileSync(join(out, 'SHA256SUMS'), lines.join(''));
    return ['SHA256SUMS'];
  },
};

/** All parts of a release, in build order. */
export const parts: readonly Part[] = [
  ...clientParts,
  placedClients,
  chart,
  source,
  image,
  sbom,
  checksums,
];
