import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Target } from '../target.ts';

/** The dependency-free part of the contract, each file after those that it takes from. */
const sources = [
  'model',
  'states',
  'errorCodes',
  'failureCodes',
  'detailCodes',
  'wireModels',
  'wire',
  'priceCredits',
  'pricing',
  'catalogue',
] as const;

const folder = join(import.meta.dirname, '../../shared/src');

const importLine = /^import (?:type )?\{[^}]*\} from '([^']+)';\n/gm;

/** First line of every file of an integration that is made from the contract. */
export const head = `/* Generated from the gateway's contract by "npm run generate": do not edit. */

`;

/**
 * These parts of the contract as one file that imports nothing, for a package that stands alone.
 * @throws Error when a source imports anything but the other sources.
 */
function contract(wanted: readonly string[]): string {
  const known = new Set(wanted.map((name) => `./${name}.ts`));
  const parts = wanted.map((name) => {
    const text = readFileSync(join(folder, `${name}.ts`), 'utf8');
    for (const [, from = ''] of text.matchAll(importLine)) {
      if (!known.has(from)) throw new Error(`shared/src/${name}.ts imports ${from}`);
    }
    const rest = text.replace(importLine, '');
    if (/^(import |export .* from )/m.test(rest)) {
      throw new Error(`shared/src/${name}.ts imports in a way that cannot be copied`);
    }
    return rest.trim();
  });
  return head + parts.join('\n\n') + '\n';
}

/** Every integration's copy. That for n8n knows no model: it asks the API. */
const copies = [
  {
    file: 'integrations/n8n/nodes/Framegate/generated/contract.ts',
    wanted: sources.filter((name) => name !== 'pricing' && name !== 'catalogue'),
  },
  { file: 'integrations/zapier/src/generated/contract.ts', wanted: sources },
];

/** The contract's data, types and price function inside each integration. */
export const integrationContracts: readonly Target[] = copies.map(({ file, wanted }) => ({
  file,
  content: () => contract(wanted),
}));
