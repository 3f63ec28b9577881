import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { catalogue } from '@framegate/contract';
import { presentModel } from '../../shared/src/presentModel.ts';
import { loadNode, n8nWorkflow, type Field } from './support/builtNode.ts';
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

const forModel = (type: string, id: string, more: Record<string, unknown> = {}) =>
  shown({
    resource: type,
    operation: 'create',
    wait: true,
    download: true,
    mode: 'text-to-video',
    model: { __rl: true, mode: 'list', value: id },
    realPersonMode: false,
    ...more,
  });
const values = (fields: Field[], name: string) =>
  fields.find((field) => field.name === name)?.options?.map(({ value }) => value);

describe.each(catalogue.map((entry) => [entry.id, entry] as const))('fields of %s', (id, entry) => {
  const fields = forModel(entry.type, id);
  const { capabilities } = presentModel(entry);

  test('offer what the model takes, once', () => {
    const names = fields.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(values(fields, 'resolution')).toEqual(capabilities.resolutions);
    expect(values(fields, 'aspectRatio')).toEqual(capabilities.aspect_ratios);
    expect(values(fields, 'mode')?.sort()).toEqual(
      entry.type === 'video' ? [...entry.modes].sort() : undefined,
    );
    expect(names.includes('generateAudio')).toBe(capabilities.generate_audio);
    const number = fields.find(({ name }) => name === 'durationSeconds' || name === 'n');
    const range = capabilities.duration_seconds ?? capabilities.n;
    expect([number?.typeOptions?.['minValue'], number?.typeOptions?.['maxValue']]).toEqual([
      range?.min,
      range?.max,
    ]);
  });

  test('show real-person mode where the model and the mode allow it', () => {
    for (const mode of ['text-to-video', 'image-to-video', 'multimodal-to-video']) {
      const allowed = capabilities.real_person_modes.some((each) => each === mode);
      const names = (more: object) =>
        forModel(entry.type, id, { mode, ...more }).map(({ name }) => name);
      expect(names({}).includes('realPersonMode')).toBe(allowed);
      expect(names({ realPersonMode: true }).includes('consentReference')).toBe(allowed);
      expect(names({ realPersonMode: false })).not.toContain('consentReference');
    }
  });
});

test.each(['', '={{ $json.model }}', 'a-model-of-tomorrow'])(
  'model "%s": every value is offered, in one field each',
  (id) => {
    for (const type of ['video', 'image']) {
      const names = forModel(type, id).map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
    }
    expect(values(forModel('video', id), 'resolution')).toEqual(
      expect.arrayContaining(['480p', '720p', '1080p', '2160p']),
    );
  },
);

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
  expect(names).toEqual([...names].sort());
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
