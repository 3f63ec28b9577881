import { draftRow } from './draftRow.ts';
import type { Target } from './target.ts';
import { adminCommands } from './targets/adminCommands.ts';
import { browserPrice } from './targets/browserPrice.ts';
import { capacityDays } from './targets/capacityDays.ts';
import { chartAlerts } from './targets/chartAlerts.ts';
import { chartSchema } from './targets/chartSchema.ts';
import { collections } from './targets/collections.ts';
import { envExample } from './targets/envExample.ts';
import { goClient } from './targets/goClient.ts';
import { icons } from './targets/icons.ts';
import { integrationContracts } from './targets/integrationContract.ts';
import { logos } from './targets/logos.ts';
import { n8nResponses } from './targets/n8nResponses.ts';
import { operatorClient } from './targets/operatorClient.ts';
import { operatorReference } from './targets/operatorReference.ts';
import { partsDiagram } from './targets/partsDiagram.ts';
import { priceTables } from './targets/priceTables.ts';
import { pythonBlocking } from './targets/pythonBlocking.ts';
import { pythonContract } from './targets/pythonContract.ts';
import { registryNotes } from './targets/registryNotes.ts';
import { securityAsvs } from './targets/securityAsvs.ts';
import { settingsTable } from './targets/settingsTable.ts';
import { supportTables } from './targets/supportTables.ts';
import { refusalValues, textValues } from './targets/textValues.ts';
import { typescriptClient } from './targets/typescriptClient.ts';
import { versions } from './targets/versions.ts';
import { visibleContract } from './targets/visibleContract.ts';
import { wireTypes } from './targets/wireTypes.ts';
import { zapierEditor } from './targets/zapierEditor.ts';
import { writeTargets } from './writeTargets.ts';

/** All targets that are generated from code. */
const targets: readonly Target[] = [
  // First, because others are made from it.
  ...wireTypes,
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
  refusalValues,
  icons,
  ...logos,
  ...integrationContracts,
  n8nResponses,
  pythonContract,
  ...pythonBlocking,
  ...typescriptClient,
  ...operatorClient,
  goClient,
  ...collections,
  ...versions,
  ...registryNotes,
  securityAsvs,
  zapierEditor,
  visibleContract,
];

/**
 * `npm run generate` writes the generated files; with `--check`, it compares them. It leaves files that need a missing
 * program as they are, except in CI, where every file must be compared.
 * @returns Exit status: 1 if a file is out of date or cannot be made.
 */
async function main(checkOnly: boolean): Promise<number> {
  const { written, missing, wrong } = await writeTargets(targets, checkOnly);
  const isCi = Boolean(process.env['CI']);
  // A page with several generated parts may have been written several times.
  for (const line of new Set([...written, ...wrong])) console.log(line);
  for (const line of missing) console.warn(isCi ? line : `${line}: CI makes it`);
  return wrong.length > 0 || (isCi && missing.length > 0) ? 1 : 0;
}

const [, , command, ...words] = process.argv;
process.exitCode =
  command === 'rows'
    ? await draftRow(words, new Date().toISOString().slice(0, 10))
    : await main(process.argv.includes('--check'));
