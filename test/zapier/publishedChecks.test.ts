import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { catalogue } from '../../shared/src/catalogue.ts';
import { presentModel } from '../../shared/src/presentModel.ts';
import { apiWith, fieldsOf as formOf } from './support/lightSteps.ts';
import {
  type Definition,
  type Field,
  flat,
  inputProblems,
  publishedProblems,
} from './support/publishedChecks.ts';

/*
 * Reading the app's definition does not need Zapier's core, so this runs with every "npm test". Imported by URL,
 * because its types come from the core, which only the package itself installs.
 */
const { app } = (await import(
  new URL('../../integrations/zapier/src/app.ts', import.meta.url).href
)) as { app: Definition };

const models = catalogue.map(presentModel);

/** The fields that a step shows for these values, children included. */
async function fieldsOf(step: string, inputData: Record<string, unknown>): Promise<Field[]> {
  const { outcome } = await formOf(step, inputData, apiWith(1000));
  if ('error' in outcome) throw new Error(outcome.message);
  return flat(outcome.results as Field[]);
}

describe('the checks before publication', () => {
  test('find nothing', () => {
    expect(publishedProblems(app)).toEqual([]);
  });

  test.each(
    models.flatMap((model) =>
      (model.type === 'image' ? [''] : model.capabilities.modes).map(
        (mode) => [model.id, mode, model.type] as const,
      ),
    ),
  )('find nothing in the fields of %s %s', async (model, mode, type) => {
    const inputData = { model, mode, real_person_mode: 'true' };
    const fields = await fieldsOf(`create_${type}`, inputData);
    expect(fields.flatMap((field) => inputProblems(field, app))).toEqual([]);
    const keys = fields.map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys).toContain('price');
  });

  test.each([
    ['create_video', { mode: '{{1__mode}}', real_person_mode: '{{1__real}}' }],
    ['create_image', {}],
    ['find_price', {}],
  ])('find nothing in the fields of %s for a model of an earlier step', async (create, raw) => {
    const fields = await fieldsOf(create, { model: '{{1__model}}', ...raw });
    expect(fields.flatMap((field) => inputProblems(field, app))).toEqual([]);
    const keys = fields.map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys).toEqual(expect.arrayContaining(['price', 'resolution']));
  });

  test('show each field of a model that is unknown here, such as one an earlier step names', async () => {
    const all = [
      'mode',
      'duration_seconds',
      'resolution',
      'aspect_ratio',
      'generate_audio',
      'seed',
    ];
    const fields = await fieldsOf('create_video', { model: '{{1__model}}' });
    expect(fields.map(({ key }) => key)).toEqual(expect.arrayContaining(all));
    const resolutions = fields.find(({ key }) => key === 'resolution')?.choices as object[];
    expect(resolutions.map((choice) => (choice as { value: string }).value)).toEqual([
      ...['480p', '720p', '1080p', '2160p'],
    ]);
  });

  test('find a correct listing', () => {
    const folder = new URL('../../integrations/zapier/', import.meta.url);
    const page = readFileSync(new URL('PUBLISHING.md', folder), 'utf8');
    const [, description = ''] = /^\| Description +\| (.*?) +\|$/m.exec(page) ?? [];
    expect(description).toMatch(/^Framegate is a (?!.*zapier).{30,125}\.$/i);
    // M004: a square of at least 256 pixels, 8 bits for each of red, green, blue and transparency.
    const logo = readFileSync(new URL('logo.png', folder));
    const [width, height] = [logo.readUInt32BE(16), logo.readUInt32BE(20)];
    expect({ isSquare: width === height, isLarge: width >= 256 }).toEqual({
      isSquare: true,
      isLarge: true,
    });
    expect([...logo.subarray(24, 26)]).toEqual([8, 6]);
    for (const { label } of Object.values({ ...app.creates, ...app.searches }).map(
      ({ display }) => display,
    )) {
      expect(page).toContain(label);
    }
  });

  test('name the mode with references as every other place does', async () => {
    const fields = await fieldsOf('create_video', { model: 'alpha-2.0-pro' });
    const modes = fields.find(({ key }) => key === 'mode')?.choices;
    expect(modes).toContainEqual(
      expect.objectContaining({ value: 'multimodal-to-video', label: 'References to Video' }),
    );
  });

  test('find the sharing of results in the first words of Request Key', async () => {
    const fields = await fieldsOf('create_image', {});
    const help = fields.find(({ key }) => key === 'request_key')?.helpText ?? '';
    expect(help).toMatch(/^Needed when a Zap creates several results from the same values/);
    expect(help).toContain('charged again');
  });

  test('show each field once a model that uses it is chosen, and none before', async () => {
    const keys = async (inputData: Record<string, unknown>) =>
      (await fieldsOf('create_video', inputData)).map(({ key }) => key);
    expect(await keys({})).toEqual(['model', 'prompt', 'wait', 'max_credits', 'request_key']);
    expect(await keys({ model: 'alpha-2.0-mini' })).not.toContain('generate_audio');
  });

  const broken: [string, (definition: Definition) => void][] = [
    [
      'D018',
      (changed) => (part(changed, 'creates', 'create_video').display.label = 'create video'),
    ],
    [
      'D021',
      (changed) =>
        (part(changed, 'creates', 'create_video').display.description = 'Create a video'),
    ],
    [
      'D012',
      (changed) =>
        Reflect.deleteProperty(part(changed, 'creates', 'create_image').operation, 'sample'),
    ],
    [
      'D024',
      (changed) =>
        Reflect.deleteProperty(part(changed, 'creates', 'create_image').operation.sample, 'seed'),
    ],
    [
      'D024',
      (changed) => (part(changed, 'searches', 'find_generation').operation.sample['extra'] = 1),
    ],
    [
      'D024',
      (changed) =>
        (part(changed, 'searches', 'find_generation').operation.sample['error_code'] = null),
    ],
    [
      'D010',
      (changed) => (part(changed, 'searches', 'find_generation').operation.sample['id'] = 7),
    ],
    [
      'D009',
      (changed) => (part(changed, 'searches', 'find_generation').operation.inputFields = []),
    ],
    ['D005', (definition) => (definition.triggers = {})],
    ['D003', ({ authentication }) => (authentication.connectionLabel = '{{api_key}}')],
    ['D003', ({ authentication }) => (authentication.connectionLabel = 'My Account')],
    ['D028', (definition) => (definition.flags = { cleanInputData: true })],
    [
      'D007',
      ({ authentication }) =>
        authentication.fields.push({ key: 'x', default: 'http://a.example/v1' }),
    ],
    [
      'D001',
      (changed) =>
        part(changed, 'creates', 'create_video').operation.inputFields.push({
          key: 'api_key',
          label: 'API Key',
          helpText: 'A key.',
        }),
    ],
    [
      'D004',
      (changed) =>
        part(changed, 'searches', 'find_generation').operation.inputFields.push({
          key: 'generation_id',
          label: 'Generation',
          helpText: 'Text.',
        }),
    ],
  ];

  test.each(broken)('would find %s', (check, breakIt) => {
    const definition = copy(app);
    breakIt(definition);
    expect(publishedProblems(definition).join('\n')).toContain(check);
  });
});

/** An action whose sample and input fields the tests break. */
function part(definition: Definition, kind: 'creates' | 'searches', key: string) {
  const action = definition[kind][key];
  if (action === undefined) throw new Error(`there is no ${key}`);
  action.operation.sample ??= {};
  action.operation.inputFields ??= [];
  return action as typeof action & { operation: { sample: Sample; inputFields: Field[] } };
}

type Sample = Record<string, unknown>;

/** A copy that shares the original's functions. */
function copy<T>(value: T): T {
  if (Array.isArray(value)) return value.map(copy) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, copy(each)])) as T;
}
