import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Target } from '../target.ts';

/** Dependency-free files of the contract, each after the files that it imports. */
const sources = [
  'durations',
  'choices',
  'model',
  'states',
  'errorCodes',
  'failureCodes',
  'detailCodes',
  'mediaFormats',
  'generated/wire',
  'parameterRows',
  'parameters',
  'parameterReaders',
  'priceCredits',
  'pricing',
  'catalogue',
] as const;

const folder = join(import.meta.dirname, '../../shared/src');

const importLine = /^import (?:type )?\{[^}]*\} from '([^']+)';\n/gm;

/** First line of every file generated from the contract. */
export const head = `/* Generated from the gateway's contract by "npm run generate": do not edit. */

`;

/**
 * Combines parts of the contract into one file without imports, for a standalone package.
 * @throws Error if a source imports anything except the other sources.
 */
function contract(names: readonly string[]): string {
  const included = new Set(names.map((name) => `./${name}.ts`));
  const parts = names.map((name) => {
    const text = readFileSync(join(folder, `${name}.ts`), 'utf8');
    for (const [, from = ''] of text.matchAll(importLine)) {
      if (!included.has(from)) throw new Error(`shared/src/${name}.ts imports ${from}`);
    }
    const rest = text.replace(importLine, '');
    if (/^(import |export .* from )/m.test(rest)) {
      throw new Error(`shared/src/${name}.ts imports in a way that cannot be copied`);
    }
    return rest.trim();
  });
  return `${head + parts.join('\n\n')}\n`;
}

/** Copies for the integrations. The n8n node reads models from the API, so its copy has none. */
const copies = [
  {
    file: 'integrations/n8n/nodes/Framegate/generated/contract.ts',
    names: sources.filter((name) => name !== 'pricing' && name !== 'catalogue'),
  },
  { file: 'integrations/zapier/src/generated/contract.ts', names: sources },
];

/** Data, types and price function of the contract in each integration. */
export const integrationContracts: readonly Target[] = copies.map(({ file, names }) => ({
  file,
  content: () => contract(names),
}));
