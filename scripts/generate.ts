import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { adminCommands } from './targets/adminCommands.ts';
import { capacityDays } from './targets/capacityDays.ts';
import { chartAlerts } from './targets/chartAlerts.ts';
import { chartSchema } from './targets/chartSchema.ts';
import { collections } from './targets/collections.ts';
import { envExample } from './targets/envExample.ts';
import { browserPrice } from './targets/browserPrice.ts';
import { goClient } from './targets/goClient.ts';
import { icons } from './targets/icons.ts';
import { integrationContracts } from './targets/integrationContract.ts';
import { logos } from './targets/logos.ts';
import { n8nAnswers } from './targets/n8nAnswers.ts';
import { operatorClient } from './targets/operatorClient.ts';
import { operatorReference } from './targets/operatorReference.ts';
import { partsDiagram } from './targets/partsDiagram.ts';
import { priceTables } from './targets/priceTables.ts';
import { pythonBlocking } from './targets/pythonBlocking.ts';
import { pythonContract } from './targets/pythonContract.ts';
import { settingsTable } from './targets/settingsTable.ts';
import { supportTables } from './targets/supportTables.ts';
import { textValues } from './targets/textValues.ts';
import { typescriptClient } from './targets/typescriptClient.ts';
import { versions } from './targets/versions.ts';
import { visibleContract } from './targets/visibleContract.ts';
import { zapierEditor } from './targets/zapierEditor.ts';
import { draftRow } from './draftRow.ts';
import type { Target } from './target.ts';

/** All targets that are generated from code. */
const targets: readonly Target[] = [
  envExample,
  settingsTable,
  adminCommands,
  operatorReference,
  priceTables,
  partsDiagram,
  supportTables,
  capacityDays,
  chartSchema,
  chartAlerts,
  browserPrice,
  textValues,
  icons,
  ...logos,
  ...integrationContracts,
  n8nAnswers,
  pythonContract,
  ...pythonBlocking,
  ...typescriptClient,
  ...operatorClient,
  goClient,
  ...collections,
  ...versions,
  zapierEditor,
  visibleContract,
];

const root = join(import.meta.dirname, '..');

/** Expected content of a file, formatted as by `npm run format`. */
async function wanted(target: Target, current: string): Promise<string> {
  const content = target.content(current);
  const path = join(root, target.file);
  const plain = target.plain === true;
  return plain ? content : format(content, { ...(await resolveConfig(path)), filepath: path });
}

async function read(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}

/**
 * `npm run generate` writes the generated files. With `--check`, it only lists those that differ and exits with
 * status 1; so it does, in either case, when a target refuses.
 */
async function main(checkOnly: boolean): Promise<number> {
  const stale = new Set<string>();
  const refusals: string[] = [];
  for (const target of targets) {
    const path = join(root, target.file);
    const current = await read(path);
    const content = await wanted(target, current).catch((error: unknown) => {
      refusals.push(`${target.file}: ${error instanceof Error ? error.message : String(error)}`);
      return current;
    });
    if (content === current) continue;
    stale.add(target.file);
    if (checkOnly) continue;
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
  for (const file of stale) {
    console.log(checkOnly ? `${file} is out of date: run "npm run generate"` : `wrote ${file}`);
  }
  for (const refusal of refusals) console.log(refusal);
  return refusals.length > 0 || (checkOnly && stale.size > 0) ? 1 : 0;
}

const [, , command, ...words] = process.argv;
process.exitCode =
  command === 'rows'
    ? await draftRow(words, new Date().toISOString().slice(0, 10))
    : await main(process.argv.includes('--check'));
