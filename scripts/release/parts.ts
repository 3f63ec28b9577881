import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MissingTool, run } from './run.ts';
import { productionSbom, type Sbom } from './sbom.ts';

/** A release that is being packed. */
export interface Release {
  version: string;
  commit: string;
  /** ISO 8601. */
  committedAt: string;
  /** The project's repository, for the manifests of packages that are published from it. */
  repository: { type: string; url: string };
  /** The project, with Git's history. */
  root: string;
  /** A copy of the commit's files, in a folder called framegate, with the project's node_modules. */
  copy: string;
  /** Where the files of the release are put. */
  out: string;
}

/** A part of a release. */
interface Part {
  name: string;
  /**
   * Makes it.
   * @returns The names of its files.
   * @throws MissingTool if this machine cannot make it, Error if making it fails.
   */
  make(release: Release): string[];
}

/** A package for npm that is published from the project's own repository, built with the project's tools. */
const client = (folder: string): Part => ({
  name: `npm package ${folder}`,
  make(release) {
    const file = join(release.copy, 'integrations', folder, 'package.json');
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as object;
    // npm takes a provenance statement only for the repository that the package names.
    const repository = { ...release.repository, directory: `integrations/${folder}` };
    writeFileSync(file, `${JSON.stringify({ ...manifest, repository }, null, 2)}\n`);
    return [packForNpm(release, folder)];
  },
});

/** The package for n8n, built with its own tools; n8n takes it only from a repository that it has to itself. */
const n8nPackage: Part = {
  name: 'npm package n8n',
  make(release) {
    const folder = join(release.copy, 'integrations/n8n');
    run('npm', ['ci', '--no-audit', '--no-fund', '--prefer-offline'], folder);
    return [packForNpm(release, 'n8n')];
  },
};

/** @returns The name of the tarball, which is the same for the same commit. */
function packForNpm({ copy, out }: Release, name: string): string {
  const folder = join(copy, 'integrations', name);
  run('npm', ['run', 'build'], folder);
  return run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', out], folder);
}

const python: Part = {
  name: 'Python wheel and sdist',
  make({ version, copy, out }) {
    const folder = join(copy, 'integrations/python');
    try {
      run('python3', ['-c', 'import hatchling'], folder);
    } catch {
      throw new MissingTool('python3 with integrations/python/requirements-dev.txt');
    }
    run('python3', ['-m', 'hatchling', 'build', '-d', out], folder);
    return [`framegate-${version}-py3-none-any.whl`, `framegate-${version}.tar.gz`];
  },
};

/** Git packs the chart as `helm package` does, and the same way each time. */
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
  make({ version, root, out }) {
    const file = `framegate-${version}-source.tar.gz`;
    const prefix = `framegate-${version}/`;
    run('git', ['archive', '--prefix', prefix, '-o', join(out, file), 'HEAD'], root);
    return [file];
  },
};

/** The image for this machine's processor, which shows that it can be built; the workflow pushes its own. */
const image: Part = {
  name: 'image',
  make({ version, commit, copy }) {
    try {
      run('docker', ['version', '--format', '{{.Server.Version}}'], copy);
    } catch {
      throw new MissingTool('a running Docker');
    }
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
      .sort()
      .map((name) => {
        const hash = createHash('sha256').update(readFileSync(join(out, name)));
        return `${hash.digest('hex')}  ${name}\n`;
      });
    writeFileSync(join(out, 'SHA256SUMS'), lines.join(''));
    return ['SHA256SUMS'];
  },
};

/** Everything that a release consists of, in the order in which it is made. */
export const parts: readonly Part[] = [
  ...['typescript', 'operator', 'ai-sdk'].map(client),
  n8nPackage,
  python,
  chart,
  source,
  image,
  sbom,
  checksums,
];
