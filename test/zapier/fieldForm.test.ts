import { describe, expect, test } from '@jest/globals';
import { catalogue } from '../../shared/src/catalogue.ts';
import { presentModel } from '../../shared/src/presentModel.ts';
import { fieldsOf, type LightApi, type Values, wholeApi } from './support/lightSteps.ts';
import type { Field } from './support/publishedChecks.ts';

/* Reports of users of other apps about forms, tried on this one: integrations/zapier/docs/field.md has the sources. */

interface FormField extends Field {
  altersDynamicFields?: boolean;
  choices?: { value: string }[];
}

const steps: Record<string, Values> = {
  create_video: { model: 'alpha-2.0-pro', mode: 'text-to-video', prompt: 'A kite' },
  create_image: { model: 'image-b-2', prompt: 'A cup' },
  find_price: { model: 'alpha-2.0-pro' },
};
const forms = Object.entries(steps);

/** The form of a step. */
async function formOf(step: string, inputData: Values, api: LightApi = wholeApi) {
  const { outcome } = await fieldsOf(step, inputData, api);
  return outcome as { results?: FormField[]; error?: string; message?: string };
}

const flat = (fields: FormField[] = []): FormField[] =>
  fields.flatMap((field) => [field, ...flat(field.children as FormField[] | undefined)]);
const keysOf = (fields?: FormField[]) => flat(fields).map(({ key }) => key);

describe('a form', () => {
  const models = catalogue.map(({ id }) => id);

  test.each(forms)('of %s has each key once, also among the parts of a line', async (step) => {
    for (const model of [...models, '{{1__model}}']) {
      for (const mode of ['text-to-video', 'image-to-video', 'multimodal-to-video', '{{1__m}}']) {
        const { results } = await formOf(step, { model, mode, real_person_mode: 'yes' });
        expect(keysOf(results)).toEqual([...new Set(keysOf(results))]);
      }
    }
  });

  test('marks each field on which others depend, so that the editor reads them again', async () => {
    const start = { model: 'alpha-2.0-pro', mode: 'image-to-video' };
    const { results } = await formOf('create_video', start);
    const shown = keysOf(results);
    const tried: [string, unknown[]][] = flat(results).map(({ key, choices, type }) => {
      const words = type === 'boolean' ? ['yes', 'no'] : ['4', 'x'];
      return [key, key === 'model' ? models : (choices?.map(({ value }) => value) ?? words)];
    });
    const deciding: string[] = [];
    for (const [key, values] of tried) {
      for (const value of values) {
        const form = await formOf('create_video', { ...start, [key]: value });
        if (keysOf(form.results).join() !== shown.join()) deciding.push(key);
      }
    }
    const marked = flat(results).filter((field) => field.altersDynamicFields === true);
    expect(new Set(marked.map(({ key }) => key))).toEqual(new Set(deciding));
  });

  test.each(forms)('of %s takes unresolved braces in any field', async (step, inputData) => {
    const { results } = await formOf(step, inputData);
    for (const key of keysOf(results)) {
      const raw = { ...inputData, [key]: '{{123__id}}' };
      expect(await formOf(step, raw)).not.toHaveProperty('error');
    }
  });

  test.each(forms)('of %s requires no complete line, which would empty its parts', async (step) => {
    const { results = [] } = await formOf(step, { ...steps[step], mode: 'image-to-video' });
    const parents = results.filter(({ children }) => children !== undefined);
    expect(parents.filter((field) => 'required' in field || 'default' in field)).toEqual([]);
  });

  test.each(forms)('of %s is shown or fails in words, whatever a model lacks', async (step) => {
    const whole = presentModel(catalogue[0] as (typeof catalogue)[0]);
    const without = (value: object, part: string) =>
      Object.fromEntries(Object.entries(value).filter(([key]) => key !== part));
    for (const part of [...Object.keys(whole), ...Object.keys(whole.capabilities)]) {
      const capabilities = without(whole.capabilities, part);
      const data = [without({ ...whole, capabilities }, part)];
      const api: LightApi = (request, body) =>
        request === 'GET /models' ? [200, { data }] : wholeApi(request, body);
      const form = await formOf(step, { ...steps[step], model: whole.id }, api);
      expect(form.message ?? '').not.toMatch(/Cannot read|undefined|is not/);
    }
  });
});
