import { describe, expect, test } from '@jest/globals';
import { catalogue, type Model, presentModel, pricingOf } from '@framegate/contract';
import { withGroupPrices } from '../domain/catalogue/catalogue.ts';
import { parseModelsFile, parsePricesFile } from './modelsFile.ts';

const read = (content: unknown) => parseModelsFile(content).catalogue;
const find = (models: readonly Model[], id: string) => models.find((model) => model.id === id);
const model = (content: unknown, id: string) => find(read(content).models, id) as Model;

function problemsOf(
  content: unknown,
  parse: (content: unknown) => unknown = read,
): readonly string[] {
  try {
    parse(content);
  } catch (error) {
    return (error as { problems: readonly string[] }).problems;
  }
  throw new Error('it was taken');
}

/** A new model that makes videos. */
const gamma = {
  type: 'video',
  display_name: 'Gamma',
  typical_seconds: 30,
  capabilities: {
    modes: ['text-to-video'],
    duration_seconds: { min: 4, max: 8, default: 5 },
    resolutions: ['720p'],
    aspect_ratios: ['16:9', '9:16'],
    generate_audio: false,
    max_prompt_length: 2000,
    inputs: { image: { max_count: 0 }, video: { max_count: 0 }, audio: { max_count: 0 } },
  },
  pricing: { credits: { '720p': 9 } },
};

describe('MODELS_FILE', () => {
  test('changes nothing that it omits', () => {
    expect(read({}).models).toEqual(catalogue);
    expect(read({ models: { 'beta-3.0': {} } }).models).toEqual(catalogue);
  });

  test('accepts entries as GET /models shows them', () => {
    const features = catalogue.map((each) => [
      each.id,
      { ...presentModel(each), max_seconds: undefined },
    ]);
    expect(read({ models: Object.fromEntries(features) as object }).models).toEqual(catalogue);
  });

  test('renames, narrows and reprices, and replaces removed defaults', () => {
    const entry = {
      display_name: 'Best',
      capabilities: {
        resolutions: ['1080p'],
        modes: ['image-to-video'],
        inputs: { image: { max_count: 1 } },
      },
      pricing: { credits: { '1080p': 40 }, audio: { numerator: 3, denominator: 2 } },
    };
    const after = model({ models: { 'alpha-2.5': entry } }, 'alpha-2.5');
    expect(after).toMatchObject({
      displayName: 'Best',
      resolutions: ['1080p'],
      modes: ['image-to-video'],
      defaults: { resolution: '1080p', aspectRatio: '16:9' },
      inputs: { image: { maxCount: 1 }, video: { maxCount: 3 } },
    });
    expect(pricingOf(after)).toMatchObject({
      credits: { '1080p': 40 },
      audio: { numerator: 3, denominator: 2 },
    });
  });

  test('retires a model with dates', () => {
    const dates = { deprecated_at: '2026-01-01', sunset_at: '2026-06-01T12:00:00+02:00' };
    expect(model({ models: { 'beta-3.0': dates } }, 'beta-3.0')).toMatchObject({
      deprecatedAt: '2026-01-01T00:00:00.000Z',
      sunsetAt: '2026-06-01T10:00:00.000Z',
    });
  });

  test('adds a model after the built-in ones', () => {
    const { models } = read({ models: { 'gamma-1': gamma } });
    expect(models.map(({ id }) => id)).toEqual([...catalogue.map(({ id }) => id), 'gamma-1']);
    expect(models.at(-1)).toMatchObject({ maxPromptLength: 2000, realPersonModes: [] });
  });

  test('takes a new model of every length and resolution of a request', () => {
    const wide = {
      ...gamma,
      capabilities: {
        ...gamma.capabilities,
        duration_seconds: { min: 1, max: 30, default: 10 },
        resolutions: ['720p', '1440p'],
      },
      pricing: { credits: { '720p': 9, '1440p': 30 } },
    };
    expect(model({ models: { 'gamma-1': wide } }, 'gamma-1')).toMatchObject({
      duration: { min: 1, max: 30, default: 10 },
      resolutions: ['720p', '1440p'],
    });
    wide.capabilities.duration_seconds.max = 31;
    expect(problemsOf({ models: { 'gamma-1': wide } })).toEqual([
      'models["gamma-1"].capabilities.duration_seconds must lie within 1 to 30, with min at most max.',
    ]);
  });

  test('gives a new model fractions and texts only where the operator states them', () => {
    const stating = (extras: object) => ({
      models: { 'gamma-1': { ...gamma, capabilities: { ...gamma.capabilities, ...extras } } },
    });
    const extras = { guidance: { min: 0, max: 1.5 }, negative_prompt: { max_length: 500 } };
    const parsedModel = model(stating(extras), 'gamma-1');
    expect(parsedModel.extras).toEqual(extras);
    expect(presentModel(parsedModel).capabilities).toMatchObject(extras);
    expect(model(stating({ guidance: null }), 'gamma-1').extras).toBeUndefined();
    const at = 'models["gamma-1"].capabilities';
    expect(
      problemsOf(stating({ guidance: { min: 2, max: 1 }, negative_prompt: { max_length: 2501 } })),
    ).toEqual([
      `${at}.negative_prompt must lie within 2500 characters.`,
      `${at}.guidance must lie within 0 to 100, with min at most max.`,
    ]);
    expect(problemsOf({ models: { 'beta-3.0': { capabilities: extras } } })).toEqual([
      'models["beta-3.0"].capabilities.negative_prompt must be null: beta-3.0 does not take it.',
      'models["beta-3.0"].capabilities.guidance must be null: beta-3.0 does not take it.',
    ]);
  });

  test('gives a new model real-person mode only where the operator states it', () => {
    const stated = {
      ...gamma,
      capabilities: {
        ...gamma.capabilities,
        modes: ['text-to-video', 'image-to-video'],
        inputs: { ...gamma.capabilities.inputs, image: { max_count: 2 } },
        real_person_modes: ['image-to-video'],
      },
    };
    expect(model({ models: { 'gamma-1': stated } }, 'gamma-1')).toMatchObject({
      realPersonModes: ['image-to-video'],
    });
    expect(
      problemsOf({
        models: { 'beta-3.0': { capabilities: { real_person_modes: ['image-to-video'] } } },
      }),
    ).toEqual([expect.stringContaining('models["beta-3.0"].capabilities.real_person_modes[0]')]);
  });

  test.each<[string, object, string]>([
    [
      'a value of another model',
      { models: { 'alpha-2.5-lite': { capabilities: { resolutions: ['1080p'] } } } },
      'models["alpha-2.5-lite"].capabilities.resolutions[0] is "1080p", which alpha-2.5-lite cannot offer; it can offer 480p, 720p (did you mean "480p"?).',
    ],
    [
      'a slip of the pen',
      { models: { 'alpha-2.5': { capabilities: { modes: ['text-to-vido'] } } } },
      'did you mean "text-to-video"',
    ],
    [
      'a wrong field',
      { models: { 'alpha-2.5': { displayname: 'x' } } },
      'models["alpha-2.5"].displayname is not a known field (did you mean "display_name"?).',
    ],
    [
      'a longer duration',
      { models: { 'beta-3.0': { capabilities: { duration_seconds: { max: 20 } } } } },
      'models["beta-3.0"].capabilities.duration_seconds must lie within 3 to 15',
    ],
    [
      'a longer prompt',
      { models: { 'beta-3.0': { capabilities: { max_prompt_length: 2501 } } } },
      'must be at most 2500',
    ],
    [
      'sound that the model does not make',
      { models: { 'alpha-2.0-mini': { capabilities: { generate_audio: true } } } },
      'makes no sound',
    ],
    [
      'a fraction of a credit',
      { models: { 'beta-3.0': { pricing: { credits: { '720p': 1.5 } } } } },
      'models["beta-3.0"].pricing.credits["720p"] must be an integer.',
    ],
    [
      'a price of a resolution that is not sold',
      { models: { 'beta-3.0': { pricing: { credits: { '720': 5 } } } } },
      'did you mean "720p"',
    ],
    [
      'a removal without notice',
      { models: { 'beta-3.0': { deprecated_at: '2026-01-01', sunset_at: '2026-02-01' } } },
      'models["beta-3.0"].sunset_at needs a deprecated_at at least 90 days before it.',
    ],
    ['another type', { models: { 'beta-3.0': { type: 'image' } } }, 'must be "video"'],
    [
      'a wrong id',
      { models: { 'alpha-2.4': { display_name: 'x' } } },
      'models["alpha-2.4"] is not a built-in model (did you mean "alpha-2.5"?), and is incomplete as a new one.',
    ],
    ['an id in capitals', { models: { Gamma: gamma } }, 'models.Gamma is not a model ID'],
    [
      'a group of an unknown model',
      { groups: { studio: { 'beta-3': { factor: { numerator: 1, denominator: 2 } } } } },
      'groups.studio["beta-3"] is not a model (did you mean "beta-3.0"?)',
    ],
    ['a group without a price', { groups: { studio: { 'beta-3.0': {} } } }, 'needs a factor'],
    ['no date', { from: '2026-13-01' }, 'from must be a date, or a time with a time zone'],
    ['something else', [], 'The file must be of type object'],
  ])('refuses %s', (_, content, problem) => {
    expect(problemsOf(content).join('\n')).toContain(problem);
  });

  test('names every problem at once', () => {
    const problems = problemsOf({
      models: {
        'alpha-2.5': { capabilities: { modes: ['x'], resolutions: [] } },
        'gamma-1': { type: 'image' },
      },
    });
    expect(problems.length).toBeGreaterThan(5);
  });
});

describe('prices of a group', () => {
  const { models, groups } = read({
    groups: {
      studio: {
        '*': { factor: { numerator: 9, denominator: 10 } },
        'image-a-2': { factor: { numerator: 1, denominator: 2 }, credits: { '2k': 3 } },
      },
    },
  });
  const credits = (group: string | null, id: string) =>
    pricingOf(find(withGroupPrices(models, groups, group), id) as Model).credits;

  test('are multiplied and rounded up, or named one by one', () => {
    expect(credits('studio', 'beta-3.0')).toEqual({ '720p': 14, '1080p': 23, '2160p': 54 });
    expect(credits('studio', 'image-a-2')).toEqual({ '1k': 4, '2k': 3 });
  });

  test('are the usual ones without a group, and in a group without prices', () => {
    for (const group of [null, 'other', 'constructor']) {
      expect(credits(group, 'beta-3.0')).toEqual({ '720p': 15, '1080p': 25, '2160p': 60 });
    }
  });
});

describe('PRICES_FILE', () => {
  test('replaces the prices that it names and leaves the others', () => {
    const { models } = parsePricesFile({
      'alpha-2.5': { '720p': 20 },
      'image-a-2': { '1k': 1 },
    }).catalogue;
    expect(models.map(({ id }) => id)).toEqual(catalogue.map(({ id }) => id));
    const credits = (id: string) => pricingOf(find(models, id) as Model).credits;
    expect(credits('alpha-2.5')).toEqual({ '480p': 8, '720p': 20, '1080p': 36 });
    expect(credits('image-a-2')).toEqual({ '1k': 1, '2k': 16 });
    expect(find(models, 'beta-3.0')).toBe(find(catalogue, 'beta-3.0'));
  });

  test.each([
    [{ 'alpha-9': { '720p': 1 } }, ['["alpha-9"] is not a built-in model']],
    [{ 'alpha-2.5': { '2160p': 1 } }, ['["alpha-2.5"]["2160p"] is not a resolution of alpha-2.5']],
    [{ 'alpha-2.5': { '720p': 1.5 } }, ['["alpha-2.5"]["720p"] must be an integer']],
    [{ 'alpha-2.5': { '720p': '8' } }, ['["alpha-2.5"]["720p"] must be a number']],
    [{ 'alpha-2.5': { '720p': 1_000_001 } }, ['must be less than or equal to 1000000']],
    [{ 'alpha-2.5': 8 }, ['["alpha-2.5"] must be of type object']],
    [[], ['The file must be of type object']],
    [null, ['The file must be of type object']],
    [{ 'alpha-9': {}, 'beta-3.0': { '480p': 1 } }, ['["beta-3.0"]["480p"]', '["alpha-9"]']],
  ])('%j is refused', (content, problems) => {
    expect(problemsOf(content, parsePricesFile)).toEqual(
      problems.map((problem) => expect.stringContaining(problem)),
    );
  });
});
