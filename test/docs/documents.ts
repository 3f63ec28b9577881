import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildOpenApi } from '@framegate/contract/openapi';
import {
  type ClientPackage,
  clientPackages,
} from '../../gateway/src/http/site/clients/clientPackages.ts';
import { clientsMarkdown } from '../../gateway/src/http/site/clients/clientsPage.ts';
import { docsMarkdown } from '../../gateway/src/http/site/docs/docsMarkdown.ts';
import manifest from '../../package.json' with { type: 'json' };
import { docsFacts } from '../http/startTestServer.ts';
import { projectRoot } from '../support/runNode.ts';

const { version } = manifest;

/** All packages that a gateway serves. */
export const packages: readonly ClientPackage[] = Object.values(clientPackages);

/** Names of their files, of this version. */
export const packageFiles: ReadonlySet<string> = new Set(
  packages.flatMap((each) => each.files(version)),
);

/** All Markdown that readers get, by its path: the tracked files, and the pages of the site. */
export function readDocuments(): ReadonlyMap<string, string> {
  const clients = [...packageFiles].map((name) => ({
    name,
    hash: 'f00d',
    mediaType: 'application/gzip',
    bytes: Buffer.from(name),
  }));
  const facts = { ...docsFacts, version, clients };
  return new Map([
    ...execFileSync('git', ['ls-files', '-z', '--', '*.md'], { cwd: projectRoot, encoding: 'utf8' })
      .split('\0')
      .filter((file) => file !== '' && existsSync(join(projectRoot, file)))
      .map((file): [string, string] => [file, readFileSync(join(projectRoot, file), 'utf8')]),
    ['/docs.md', docsMarkdown(buildOpenApi({ baseUrl: facts.baseUrl }), facts)],
    ['/clients.md', clientsMarkdown(facts)],
  ]);
}
