import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { catalogue } from '@framegate/contract';
import {
  type Field,
  loadNode,
  n8nWorkflow,
} from '../../integrations/n8n/test/support/builtNode.mts';
import { packageFolder } from './support/packageFolder.ts';

const { description } = loadNode();
const { properties } = description;

/** The fields that the editor shows for these values, those of collections among them. */
function shown(values: Record<string, unknown>): Field[] {
  const { displayParameter } = n8nWorkflow.NodeHelpers;
  const isShown = (field: Field) => displayParameter(values, field, null, description, values);
  return properties.filter(isShown).flatMap((field) => {
    if (field.type !== 'collection') return [field];
    const inside = (field.options ?? []).filter((option) =>
      displayParameter({}, option, null, description, values),
    );
    return [field, ...inside];
  });
}

const named = (values: Record<string, unknown>) => shown(values).map(({ name }) => name);
const create = (resource: string, more: Record<string, unknown> = {}) =>
  named({ resource, operation: 'create', wait: true, download: true, ...more });

test('each field exists once, for any choices', () => {
  for (const resource of ['video', 'image']) {
    const names = create(resource, { mode: 'image-to-video', realPersonMode: true });
    expect(new Set(names).size).toBe(names.length);
  }
  const names = properties.map(({ name, displayOptions }) =>
    JSON.stringify([name, displayOptions]),
  );
  expect(new Set(names).size).toBe(names.length);
});

test('inputs and real people are shown in the modes that have inputs', () => {
  const consent = ['rightsConfirmed', 'consentReference'];
  expect(create('video', { mode: 'text-to-video' })).not.toContain('inputs');
  expect(create('video', { mode: 'text-to-video' })).not.toContain('realPersonMode');
  for (const mode of ['image-to-video', 'multimodal-to-video']) {
    const names = create('video', { mode, realPersonMode: false });
    expect(names).toEqual(expect.arrayContaining(['inputs', 'realPersonMode']));
    expect(names).not.toContain('consentReference');
    expect(create('video', { mode, realPersonMode: true })).toEqual(
      expect.arrayContaining(consent),
    );
  }
});

test('the node contains no values of models: each choice among them comes from the API', () => {
  const text = JSON.stringify(properties);
  for (const { id, resolutions } of catalogue) {
    if (!['alpha-2.0-pro', 'image-b-2'].includes(id)) expect(text).not.toContain(id);
    for (const resolution of resolutions) expect(text).not.toContain(`"${resolution}"`);
  }
  const parameters = properties.find(({ name }) => name === 'parameters')?.options ?? [];
  const loaded = parameters.filter(({ type }) => type === 'options');
  expect(loaded.map(({ name }) => name)).toEqual(['aspectRatio', 'outputFormat', 'resolution']);
  expect(loaded.map(({ typeOptions }) => typeOptions?.['loadOptionsDependsOn'])).toEqual(
    loaded.map(() => ['resource', 'model.value']),
  );
});

test('the texts follow the rules for texts in n8n', () => {
  const all: Field[] = [];
  const collect = (fields: Field[]) => {
    for (const field of fields) {
      all.push(field);
      collect(field.options ?? []);
      collect(field.values ?? []);
    }
  };
  collect(properties);
  for (const { type, description: text = '', displayName = '' } of all) {
    if (type === 'boolean') expect(text).toMatch(/^Whether /);
    expect(displayName).not.toMatch(/\b(of|the)$|[.:]$/);
  }
  const created = all.find(({ name }) => name === 'options');
  const names = created?.options?.map(({ displayName }) => displayName) ?? [];
  expect(names).toEqual(names.toSorted());
});

test('the official lint reports nothing, and no rule is switched off in a comment', async () => {
  const args = ['node_modules/eslint/bin/eslint.js', '.', '--max-warnings=0', '--no-inline-config'];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: packageFolder,
    // Under the tests' own value the plugin takes every file for a test of its own.
    env: { ...process.env, NODE_ENV: 'production' },
  }).catch((error: unknown) => error as { stdout: string });
  expect(stdout).toBe('');
});

test('no field depends on a regular expression: n8n gives one a time limit, which a busy machine exceeds', () => {
  expect(JSON.stringify(properties.map(({ displayOptions }) => displayOptions))).not.toContain(
    '"regex"',
  );
  const nested = JSON.stringify(properties.map(({ options }) => options));
  expect(nested).not.toContain('"_cnd":{"regex"');
});
