import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { detailCodes, errorCodes, failureCodes, operatorErrorCodes } from '@framegate/contract';
import { buildOpenApi } from '@framegate/contract/openapi';
import { buildOperatorOpenApi } from '@framegate/contract/operator';
import { providerSchema, routeSchema } from '../../gateway/providers/src/routesFileSchema.ts';
import { commands } from '../../gateway/src/commands/commands.ts';
import { settings } from '../../gateway/src/settings/settings.ts';
import type { Target } from '../target.ts';

/** Digests of each part of the visible contract, and of the changelog section that describes it. */
interface ContractRecord {
  section: string;
  parts: Readonly<Record<string, string>>;
}

const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');

/** The record that forces a changelog line for every change of the contract. */
export const visibleContract: Target = {
  file: 'scripts/visibleContract.json',
  content(current) {
    const before = current === '' ? null : (JSON.parse(current) as ContractRecord);
    return JSON.stringify(nextRecord(before, contractParts(), read('CHANGELOG.md')));
  },
};

/**
 * Makes the new record.
 * @param before The committed record; null if there is none.
 * @throws Error naming the changed parts if the changelog's top section has not changed with them.
 */
export function nextRecord(
  before: ContractRecord | null,
  contract: Readonly<Record<string, unknown>>,
  changelog: string,
): ContractRecord {
  const [, top = ''] = changelog.split(/^(?=## )/m);
  const section = digestOf(top);
  const parts = Object.fromEntries(
    Object.entries(contract).map(([name, part]) => [name, digestOf(withoutProse(part))]),
  );
  const names = new Set([...Object.keys(parts), ...Object.keys(before?.parts ?? parts)]);
  const changed = [...names].filter((name) => before && before.parts[name] !== parts[name]);
  if (changed.length > 0 && before?.section === section) {
    const heading = top.split('\n', 1)[0] ?? '';
    throw new Error(
      `The visible contract has changed (${changed.join(', ')}): add a line under "${heading}" of CHANGELOG.md and run "npm run generate".`,
    );
  }
  return { section, parts };
}

/** The parts that operators and customers rely on, by their names in messages. */
function contractParts(): Record<string, unknown> {
  return {
    'OpenAPI document': buildOpenApi({ baseUrl: 'https://api.example.com/v1' }),
    'operator OpenAPI document': buildOperatorOpenApi(),
    'error codes': { errorCodes, failureCodes, detailCodes, operatorErrorCodes },
    settings: Object.entries(settings).map(([name, each]) => [name, { ...each, meaning: '' }]),
    'admin commands': Object.entries(commands).map(([name, { usage }]) => [name, usage]),
    ROUTES_FILE: [providerSchema.describe(), routeSchema.describe()],
    'chart values': JSON.parse(read('deploy/helm/framegate/values.schema.json')) as unknown,
    metrics: [...new Set(read('gateway/src/adapters/metrics/metrics.ts').match(/framegate_\w+/g))],
  };
}

/** The value without descriptive texts, which may be reworded at any time. */
function withoutProse(value: unknown): unknown {
  const texts = new Set(['description', 'summary', 'message']);
  const samples = new Set(['example', 'examples', 'info']);
  const text = JSON.stringify(value, (key, part: unknown) =>
    samples.has(key) || (texts.has(key) && typeof part === 'string') ? undefined : part,
  );
  return JSON.parse(text);
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12);
}
