import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  resolveImageRequest,
  resolveVideoRequest,
} from '../../gateway/src/domain/generations/requestRules.ts';
import { parseInputUrl } from '../../gateway/src/domain/network/inputUrl.ts';
import { isUnacceptableUrl } from '../../integrations/zapier/src/checkInputs.ts';
import { orderProblems, parameterProblems } from '../../integrations/zapier/src/checkOrder.ts';
import { imageOrder } from '../../integrations/zapier/src/imageOrder.ts';
import { describeProblem, labelOf } from '../../integrations/zapier/src/labels.ts';
import { priceOf } from '../../integrations/zapier/src/price.ts';
import { videoOrder } from '../../integrations/zapier/src/videoOrder.ts';
import { catalogue } from '../../shared/src/catalogue.ts';
import type { ImageModel, VideoModel } from '../../shared/src/model.ts';
import { presentModel } from '../../shared/src/presentModel.ts';
import { priceCredits } from '../../shared/src/priceCredits.ts';
import { createImageSchema, createVideoSchema } from '../../shared/src/schemas/index.ts';

/*
 * A test in the editor refuses exactly those steps that the gateway's own rules refuse: no valid step is red, and no
 * step that contradicts GET /models is green.
 */

const url = 'https://a.example/a.png';

/** Mostly an empty field, otherwise one of these, so that many steps have a single wrong field. */
const oneOf = (...values: unknown[]) =>
  fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom('', null) },
    { weight: 2, arbitrary: fc.constantFrom(...values) },
  );

const line = fc.record({
  input_url: fc.constantFrom(url, url, ''),
  input_role: oneOf('first_frame', 'first_frame', 'last_frame', 'middle'),
  input_type: oneOf('image', 'video', 'audio', 'text'),
});

const common = {
  prompt: fc.oneof(
    { weight: 8, arbitrary: fc.constant('A kite') },
    fc.constantFrom(' ', 'x'.repeat(5001), 'x'.repeat(2001), '\ud800'),
  ),
  inputs: fc.oneof(fc.array(line, { maxLength: 2 }), fc.array(line, { maxLength: 16 })),
  seed: oneOf(7, '7', 0, '2147483648', 'seven', '1.5'),
};

const videoData = fc.record({
  ...common,
  mode: fc.constantFrom('text-to-video', 'image-to-video', 'multimodal-to-video', 'poem'),
  duration_seconds: oneOf(5, '5', '15', 3, 99, 'long', '2.5', '5.0'),
  resolution: oneOf('480p', '720p', '1080p', '2160p', '4k'),
  aspect_ratio: oneOf('16:9', '3:2', 'wide'),
  generate_audio: oneOf('yes', true, 'no', 'loud'),
  real_person_mode: oneOf('no', 'perhaps'),
});

const imageData = fc.record({
  ...common,
  n: oneOf(1, '4', '5', 0, 'two'),
  resolution: oneOf('1k', '2k', '4k', '720p'),
  aspect_ratio: oneOf('3:2', '21:9', 'wide'),
  output_format: oneOf('png', 'jpeg', 'gif'),
});

const videos = catalogue.filter((model): model is VideoModel => model.type === 'video');
const images = catalogue.filter((model): model is ImageModel => model.type === 'image');

/** Whether the gateway takes it: no rule throws. */
function isTaken(judge: () => unknown): boolean {
  try {
    judge();
    return true;
  } catch {
    return false;
  }
}

describe('a test in the editor', () => {
  test('refuses the videos that the gateway refuses', () => {
    const verdicts = new Set<boolean>();
    fc.assert(
      fc.property(fc.constantFrom(...videos), videoData, (model, data) => {
        const { body } = videoOrder({ ...data, model: model.id });
        const taken = isTaken(() => {
          const checked = createVideoSchema.validate(body, { convert: false });
          if (checked.error) throw checked.error;
          resolveVideoRequest(model, checked.value);
        });
        const problems = orderProblems(presentModel(model), { body });
        verdicts.add(taken);
        if (taken !== (problems.length === 0)) throw new Error(JSON.stringify({ taken, problems }));
      }),
      { numRuns: 500 },
    );
    expect(verdicts).toEqual(new Set([true, false]));
  });

  test('refuses the images that the gateway refuses', () => {
    const verdicts = new Set<boolean>();
    fc.assert(
      fc.property(fc.constantFrom(...images), imageData, (model, data) => {
        const { body } = imageOrder({ ...data, model: model.id });
        const taken = isTaken(() => {
          const checked = createImageSchema.validate(body, { convert: false });
          if (checked.error) throw checked.error;
          resolveImageRequest(model, checked.value);
        });
        const problems = orderProblems(presentModel(model), { body });
        verdicts.add(taken);
        if (taken !== (problems.length === 0)) throw new Error(JSON.stringify({ taken, problems }));
      }),
      { numRuns: 500 },
    );
    expect(verdicts).toEqual(new Set([true, false]));
  });

  test('refuses no address that the gateway accepts, and refuses obvious errors', () => {
    const part = fc.constantFrom('a.example', 'A.Example:443', '127.0.0.1', 'x', 'a.b-c.co.uk', '');
    const tail = fc.constantFrom('', '/', '/a.png', '/a b', '/a?x=1', '#a', '/%20?q=%27', '\\a');
    const scheme = fc.constantFrom('https://', 'HTTPS://', 'http://', 'data:', 'https://a@', '');
    fc.assert(
      fc.property(scheme, part, tail, (...parts) => {
        const text = parts.join('');
        if (parseInputUrl(text).ok) expect(isUnacceptableUrl(text, 'api.example.com')).toBe(false);
      }),
      { numRuns: 300 },
    );
    for (const text of [
      'http://a.example/a.png',
      'https://127.0.0.1/a.png',
      'a.png',
      'https://a/b',
    ]) {
      expect(isUnacceptableUrl(text, 'api.example.com')).toBe(true);
    }
    // A gateway on the same machine serves its own files with plain http.
    expect(isUnacceptableUrl('http://127.0.0.1:8080/media/x', '127.0.0.1')).toBe(false);
  });
});

describe('a price', () => {
  test.each(catalogue.map((model) => [model.id, presentModel(model)] as const))(
    'of %s is exactly the examples of the API, and the first of them when nothing is given',
    (_id, model) => {
      for (const { parameters, cost_credits } of model.pricing.examples) {
        expect(priceOf(model, parameters)).toBe(cost_credits);
        expect(priceCredits(model.pricing, parameters)).toBe(cost_credits);
      }
      expect(priceOf(model, {})).toBe(model.pricing.examples[0]?.cost_credits);
      expect(priceOf(model, { resolution: 'none' })).toBeNull();
      expect(parameterProblems(model, {})).toEqual([]);
    },
  );
});

describe('a problem', () => {
  test.each([
    ['parameters.n', 'Number of Images'],
    ['parameters.duration_seconds', 'Duration in Seconds'],
    ['compliance.rights_confirmed', 'Rights Confirmed'],
    ['inputs', 'Inputs'],
    ['inputs[1].url', 'Input URL 2'],
    ['inputs[0]', 'Inputs 1'],
    ['prompt', 'Prompt'],
    ['toString', 'toString'],
    ['a.b.c', 'a.b.c'],
  ])('of %s is reported at the field %s', (param, label) => {
    expect(labelOf(param)).toBe(label);
  });

  test("is described in the form's words", () => {
    const message = 'image-to-video needs one image with the role first_frame.';
    expect(describeProblem({ param: 'inputs', message })).toBe(
      'Inputs: Image to Video needs one image with the role First Frame.',
    );
  });
});
