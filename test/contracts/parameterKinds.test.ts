import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { inFormOrder, type Parameter, type ParameterTable, usualValues } from '@framegate/contract';
import { jsonSchemaOf } from '@framegate/contract/openapi';
import { parseParameters } from '../../integrations/zapier/src/parseParameters.ts';
import { typeOf } from '../../scripts/targets/typescriptTypes.ts';
import { effectiveParameters, givenParameters } from '../../shared/src/schemas/parameters.ts';
import { validateBody } from '../../shared/src/schemas/validateBody.ts';

type ParameterFields = (table: ParameterTable, form: object) => { key: string; type?: string }[];

// Imported by URL, because their types come from Zapier's core, which only the app installs.
const source = (file: string) =>
  import(new URL(`../../integrations/zapier/src/${file}`, import.meta.url).href);
const { parameterFields } = (await source('fields/parameterFields.ts')) as {
  parameterFields: ParameterFields;
};

const common = {
  capability: null,
  unit: null,
  label: 'Label',
  help: 'Help.',
  hint: 'Hint',
  option: null,
  support: null,
  since: '0.2.0',
} as const satisfies Partial<Parameter>;

/** A row of each kind. */
const table = {
  integer: { ...common, kind: 'integer', range: { min: 1, max: 9 }, default: 2 },
  fraction: {
    ...common,
    kind: 'fraction',
    range: { min: 1, max: 20, step: 0.5 },
    default: null,
    support: { name: 'fraction', undeclared: [] },
  },
  choice: { ...common, kind: 'choice', values: ['a', 'b'], default: 'a' },
  flag: { ...common, kind: 'flag', default: false, without: null },
  text: {
    ...common,
    kind: 'text',
    maxLength: 5,
    hasLines: false,
    default: null,
    support: { name: 'text', undeclared: false },
  },
} as const satisfies { [K in Parameter['kind']]: Parameter } & ParameterTable;

const values = { integer: 3, fraction: 7.5, choice: 'b', flag: true, text: ' rain ' };

test('a request takes a value of each kind, or none, and a record all but texts', () => {
  const { text, ...shown } = values;
  const schemas = [
    [givenParameters(table), values],
    [effectiveParameters(table), shown],
  ] as const;
  for (const [schema, value] of schemas) {
    expect(validateBody(schema, value)).toEqual({ ok: true, value });
    expect(validateBody(schema, {})).toEqual({ ok: true, value: {} });
  }
  expect(validateBody(effectiveParameters(table), { text })).toMatchObject({ ok: false });
});

test.each([
  ['fraction', 0.5, 'Must be a number from 1 to 20 in steps of 0.5.'],
  ['fraction', 7.25, 'Must be a number from 1 to 20 in steps of 0.5.'],
  [
    'text',
    'longer',
    'Must be text of 1 to 5 characters on one line, not counting surrounding white space',
  ],
  [
    'text',
    'a\nb',
    'Must be text of 1 to 5 characters on one line, not counting surrounding white space',
  ],
  [
    'text',
    ' ',
    'Must be text of 1 to 5 characters on one line, not counting surrounding white space',
  ],
])('a request is refused for its %s %j', (param, value, message) => {
  expect(validateBody(givenParameters(table), { [param]: value })).toMatchObject({
    problems: [{ param, message: expect.stringContaining(message) }],
  });
});

test('documents and clients cover each kind', () => {
  const schema = jsonSchemaOf(givenParameters(table), 'closed', {});
  expect(schema.properties).toMatchObject({
    fraction: { type: 'number', minimum: 1, maximum: 20, description: 'Help.' },
    text: { type: 'string', minLength: 1, maxLength: 5, description: 'Help.' },
  });
  const types = Object.values(schema.properties ?? {}).map(typeOf);
  expect(types).toEqual(['number', 'number', '"a" | "b"', 'boolean', 'string']);
});

test('a fraction or text without a default is left out', () => {
  expect(usualValues(table)).toEqual({ integer: 2, choice: 'a', flag: false });
  expect(inFormOrder(table).map(([name]) => name)).toEqual(Object.keys(table));
});

test('a form has a field for each kind and reads what is entered', () => {
  const fields = parameterFields(table, {});
  expect(fields.map(({ key, type }) => [key, type ?? 'choice'])).toEqual([
    ['integer', 'integer'],
    ['fraction', 'number'],
    ['choice', 'string'],
    ['flag', 'boolean'],
    ['text', 'string'],
  ]);
  const entered = { integer: '3', fraction: '7.5', choice: 'B', flag: 'yes', text: 'rain' };
  expect(parseParameters(table, entered)).toEqual({ ...values, text: 'rain' });
});

test.each(['negative_?prompt', 'guidance'])('%s is written by hand in four files', (name) => {
  const made = [':!**/generated/**', ':!*.test.ts', ':!*.md', ':!integrations/go'];
  const generated = [
    ':!integrations/n8n/test/support',
    ':!integrations/python/src/framegate/types.py',
  ];
  const rows = [':!gateway/providers/src/rows', ':!gateway/providers/src/http/descriptions'];
  const where = ['shared', 'gateway', 'integrations', 'scripts', ...made, ...generated, ...rows];
  const found = execFileSync('git', ['grep', '-liE', name, '--', ...where], {
    encoding: 'utf8',
  });
  expect(found.trim().split('\n').length).toBeLessThanOrEqual(4);
});
