import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { projectRoot } from '../support/runNode.ts';
import { leftNames } from './leftNames.ts';

/** Code whose texts reach customers: pages, emails, responses, documents. */
const folders = [
  'gateway/src/adapters/mail',
  'gateway/src/adapters/system',
  'gateway/src/application',
  'gateway/src/http',
  'gateway/src/texts',
  'gateway/media/src',
  'shared/src',
];

/** Passages that no customer reads, by the end of a path. */
const unread: Readonly<Record<string, RegExp>> = {
  // The brand's own default.
  'shared/src/openapi/index.ts': /name \?\? 'Framegate'/,
  // Read by the operator and its engineers.
  'shared/src/operator/openApi.ts':
    /Framegate operator API|stands in front of Framegate|built on Framegate/,
  'adapters/system/checkpointFiles.ts': /framegate ledger checkpoint/,
  'media/src/mediaChild.ts': /\.cache\/framegate-media/,
  // Attributes of traces and a header in lower case.
  'application/ports/system.ts': /framegate\.(generation_id|step)/,
  'middleware/logAccess.ts': /framegate\.request_id/,
  // Names of packages.
  'clients/clientPackages.ts': /framegate/,
  'clients/clientTools.ts': /framegate-go|framegate\.New/,
  'mcp/mcpRoutes.ts': /framegate-max-credits/,
};

/** Code without comments and imports of packages. */
const codeOf = (source: string) =>
  source
    .replace(/\/\*[^]*?\*\//g, '')
    .replace(/(^|\s)\/\/.*$/gm, '')
    .replace(/from '@framegate\/(?!client)[\w./-]+'|import\('@framegate\/[\w./-]+'\)/g, '');

test('no text for customers contains the built-in name, which comes from the brand', async () => {
  const left: string[] = [];
  for (const folder of folders) {
    for (const name of await readdir(join(projectRoot, folder), { recursive: true })) {
      if (!/\.(ts|js|json|css)$/.test(name) || /\.test\.ts$/.test(name)) continue;
      const path = `${folder}/${name}`;
      const code = codeOf(await readFile(join(projectRoot, path), 'utf8'));
      const known = Object.entries(unread).find(([end]) => path.endsWith(end))?.[1];
      const found = leftNames(code).filter((passage) => known?.test(passage) !== true);
      left.push(...found.map((passage) => `${path}: ${passage.trim()}`));
    }
  }
  expect(left).toEqual([]);
});
