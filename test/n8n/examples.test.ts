import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { catalogue } from '@framegate/contract';
import { loadSource } from './support/loadSource.ts';

/**
 * The examples against the panel of this version, without n8n. With n8n: editor.acceptance.ts, examples.acceptance.ts.
 */

type Values = Record<string, unknown>;

interface Field {
  name: string;
  type?: string;
  value?: unknown;
  options?: Field[];
  values?: Field[];
  typeOptions?: { loadOptionsMethod?: string };
  displayOptions?: { show?: Record<string, unknown[]>; hide?: Record<string, unknown[]> };
}

interface Example {
  nodes: { name: string; type: string; typeVersion: number; parameters: Values }[];
}

const folder = join(import.meta.dirname, '../../integrations/n8n/examples');
const models = catalogue.map(({ id }) => id);

let panel: Field[];
beforeAll(async () => {
  const { Framegate } = await loadSource<{
    Framegate: new () => { description: { properties: Field[] } };
  }>('nodes/Framegate/Framegate.node.ts');
  panel = new Framegate().description.properties;
});

const isExpression = (value: unknown) => typeof value === 'string' && value.startsWith('=');

/** Whether the panel shows a field for these values; omitted values have their defaults, which may show it. */
function isShown({ displayOptions: { show = {}, hide = {} } = {} }: Field, root: Values): boolean {
  const has = ([path, values]: [string, unknown[]]) => {
    const value = root[path.replace('/', '')];
    return value === undefined || values.includes(value);
  };
  const hidden = Object.entries(hide).some(
    ([path, values]) => root[path.replace('/', '')] !== undefined && has([path, values]),
  );
  return Object.entries(show).every(has) && !hidden;
}

/** Problems of the values of some fields, by path. */
function problems(fields: Field[], values: Values, root: Values, path: string): string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const at = `${path}.${name}`;
    const field = fields.find((each) => each.name === name && isShown(each, root));
    if (field === undefined) return [`${at} is no field here`];
    if (isExpression(value)) return [];
    const { options = [], typeOptions } = field;
    switch (field.type) {
      case 'collection':
        return problems(options, value as Values, root, at);
      case 'fixedCollection':
        return Object.entries(value as Record<string, Values[]>).flatMap(([group, entries]) => {
          const { values: parts = [] } = options.find((each) => each.name === group) ?? {};
          return entries.flatMap((entry) => problems(parts, entry, root, `${at}.${group}`));
        });
      case 'options': {
        const isKnown = options.some((option) => option.value === value);
        return isKnown || typeOptions?.loadOptionsMethod
          ? []
          : [`${at} has no choice ${String(value)}`];
      }
      case 'resourceLocator': {
        const { __rl, value: chosen } = value as Values;
        const isKnown = isExpression(chosen) || name !== 'model' || models.includes(String(chosen));
        return __rl === true && isKnown ? [] : [`${at} chooses ${String(chosen)}`];
      }
      default: {
        const isKind = typeof value === (field.type ?? 'string');
        return isKind ? [] : [`${at} is no ${field.type}`];
      }
    }
  });
}

describe.each(readdirSync(folder))('example %s', (file) => {
  const text = readFileSync(join(folder, file), 'utf8');
  const { nodes } = JSON.parse(text) as Example;
  const ours = nodes.filter(({ type }) => type.startsWith('n8n-nodes-framegate.'));

  test('has only fields and choices of this version', () => {
    const found = ours.flatMap(({ name, parameters }) => {
      // n8n adds these to the twin that agents use.
      const added = ['toolDescription', 'descriptionType'];
      const own = Object.fromEntries(
        Object.entries(parameters).filter(([field]) => !added.includes(field)),
      );
      return problems(panel, own, own, name);
    });
    expect(found).toEqual([]);
    expect(new Set(ours.map(({ typeVersion }) => typeVersion))).toEqual(new Set([1]));
  });

  test('uses only nodes of n8n and of this package, and takes values from its own nodes', () => {
    const foreign = nodes.filter(
      ({ type }) => !/^(n8n-nodes-base|n8n-nodes-framegate|@n8n\/n8n-nodes-langchain)\./.test(type),
    );
    expect(foreign).toEqual([]);
    const named = [...text.matchAll(/\$\('([^']+)'\)/g)].map(([, name]) => name);
    const names = nodes.map(({ name }) => name);
    expect(named.filter((name) => !names.includes(String(name)))).toEqual([]);
  });

  test('explains itself on the canvas', () => {
    const notes = nodes.filter(({ type }) => type.endsWith('.stickyNote'));
    expect(notes.map(({ parameters }) => String(parameters['content']).length > 80)).toContain(
      true,
    );
  });
});

test('a wrong field, choice or model would be found', () => {
  const own = { resource: 'video', operation: 'create', mode: 'text-to-video' };
  const wrong = {
    ...own,
    model: { __rl: true, mode: 'list', value: 'alpha-1' },
    waits: true,
    download: 'yes',
    options: { retries: 3, onTimeout: 'never' },
  };
  expect(problems(panel, wrong, wrong, 'Node')).toEqual([
    'Node.model chooses alpha-1',
    'Node.waits is no field here',
    'Node.download is no boolean',
    'Node.options.retries is no field here',
    'Node.options.onTimeout has no choice never',
  ]);
});
