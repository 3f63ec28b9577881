import Joi from 'joi';
import {
  allExtras,
  catalogue as builtIn,
  didYouMean,
  type Fraction,
  maxPriceCredits,
} from '@framegate/contract';
import type { Catalogue } from '../domain/catalogue/catalogue.ts';
import { applyEntry } from '../domain/catalogue/modelEntry.ts';
import { applyModelsFile, type ModelsFileJson } from '../domain/catalogue/modelsFile.ts';
import { FileProblemsError, reporter } from '../domain/installation/fileProblems.ts';
import { once } from '../domain/once.ts';
import { checkContent } from './jsonFile.ts';

const text = (max: number) => Joi.string().min(1).max(max);
const wholeNumber = (min: number, max = Number.MAX_SAFE_INTEGER) =>
  Joi.number().integer().min(min).max(max);
const words = () => Joi.array().items(text(64)).unique().max(50);

/** A day or time with its zone. */
const moment = once(() =>
  text(40).custom((value: string, helpers) => {
    const isWritten = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/.test(
      value,
    );
    return isWritten && !Number.isNaN(Date.parse(value)) ? value : helpers.error('time');
  }),
);

const fraction = once(() =>
  Joi.object<Fraction>({
    numerator: wholeNumber(1, 1000).required(),
    denominator: wholeNumber(1, 1000).required(),
  }),
);

const credits = once(() => Joi.object().pattern(text(64), wholeNumber(1, maxPriceCredits)));

/** Bounds of a fraction or text. */
const boundsOf = {
  fraction: Joi.object({ min: Joi.number().required(), max: Joi.number().required() }).allow(null),
  text: Joi.object({ max_length: wholeNumber(1).required() }).allow(null),
};

const entryFields = once(() => {
  const timedInputs = {
    max_count: wholeNumber(0),
    max_bytes: wholeNumber(1),
    max_seconds: wholeNumber(1),
  };
  /** Derived from other fields; accepted because entries may be copied from GET /models. */
  const derived = Joi.any();
  return {
    id: text(64),
    object: derived,
    type: text(10).valid('video', 'image'),
    display_name: text(60),
    capabilities: Joi.object({
      modes: words(),
      duration_seconds: Joi.object({
        min: wholeNumber(1),
        max: wholeNumber(1),
        default: wholeNumber(1),
      }).allow(null),
      resolutions: words(),
      aspect_ratios: words(),
      generate_audio: Joi.boolean(),
      real_person_modes: words(),
      max_prompt_length: wholeNumber(1),
      inputs: Joi.object({
        image: Joi.object({
          max_count: wholeNumber(0),
          max_bytes: wholeNumber(1),
          max_pixels: wholeNumber(1),
        }),
        video: Joi.object(timedInputs),
        audio: Joi.object(timedInputs),
      }),
      n: Joi.object({ min: wholeNumber(1), max: wholeNumber(1) }).allow(null),
      output_formats: words(),
      ...Object.fromEntries(allExtras.map((row) => [row.capability, boundsOf[row.kind]])),
    }),
    pricing: Joi.object({
      unit: derived,
      per: text(20),
      credits: credits(),
      audio: fraction(),
      rounding: derived,
      examples: derived,
    }),
    next_pricing: derived,
    typical_seconds: wholeNumber(1, 86_400),
    max_seconds: Joi.forbidden().messages({
      'any.unknown': 'cannot be set here: use VIDEO_DEADLINE_SECONDS or IMAGE_DEADLINE_SECONDS',
    }),
    deprecated_at: moment().allow(null),
    sunset_at: moment().allow(null),
  };
});

/** Ids of models and names of groups, which customers and support read and type. */
const modelId = /^(?=.{1,64}$)[a-z0-9]+([.-][a-z0-9]+)*$/;
const groupName = /^[a-z0-9][a-z0-9_-]{0,31}$/;

const schemaOf = once(() =>
  Joi.object<ModelsFileJson>({
    from: moment(),
    models: Joi.object().pattern(modelId, Joi.object(entryFields())).max(100),
    groups: Joi.object()
      .pattern(
        groupName,
        Joi.object().pattern(
          text(64),
          Joi.object({ factor: fraction(), credits: credits() }).or('factor', 'credits'),
        ),
      )
      .max(100),
  })
    .required()
    .prefs({ errors: { label: false, wrap: { label: false } } })
    .messages({
      time: 'must be a date, or a time with a time zone, such as 2030-01-31T12:00:00Z',
      'object.missing': 'needs a factor or credits',
    }),
);

/** Field names, for "did you mean" hints. */
const fieldNames = once(() =>
  ['from', 'models', 'groups', 'factor', 'numerator', 'denominator'].concat(
    Object.keys(entryFields()),
    ['modes', 'duration_seconds', 'resolutions', 'aspect_ratios', 'generate_audio'],
    ['real_person_modes', 'max_prompt_length', 'inputs', 'n', 'output_formats', 'credits', 'audio'],
    ['max_count', 'max_bytes', 'max_pixels', 'max_seconds', 'min', 'max', 'default', 'max_length'],
    allExtras.map(({ capability }) => capability),
  ),
);

function unknownName(path: readonly (string | number)[]): string {
  const [part, name = ''] = path;
  if (path.length === 2 && part === 'models') {
    return 'is not a model ID: use lower-case letters and digits, separated by single dots or hyphens';
  }
  if (path.length === 2 && part === 'groups') {
    return 'is not a group name: use lower-case letters, digits, hyphens and _';
  }
  return `is not a known field${didYouMean(String(path.at(-1) ?? name), fieldNames())}`;
}

/** The catalogue described by MODELS_FILE. */
export interface ModelsFile {
  catalogue: Catalogue;
  /** Start of its validity, in ms since the epoch; null for as soon as possible. */
  from: number | null;
}

/** Reads the content of MODELS_FILE. @throws FileProblemsError with every problem. */
export function parseModelsFile(content: unknown): ModelsFile {
  const checked = schemaOf().validate(content, { convert: false, abortEarly: false });
  const errors = checked.error?.details ?? [];
  const problems: string[] = [];
  for (const { path, type, message } of errors) {
    reporter(problems, path)([], type === 'object.unknown' ? unknownName(path) : message);
  }
  const isValid = (part: string, name?: string) =>
    !errors.some(({ path }) => path[0] === part && (path[1] === undefined || path[1] === name));
  const only = <T>(part: 'models' | 'groups', entries: Record<string, T> = {}) =>
    Object.fromEntries(Object.entries(entries).filter(([name]) => isValid(part, name)));
  // A value that is not an object has no entries.
  const whole = errors.some(({ path }) => path.length === 0)
    ? {}
    : (checked.value as ModelsFileJson);
  const models = isValid('models') ? whole.models : {};
  const sound = {
    models: only('models', models),
    groups: only('groups', isValid('groups') ? whole.groups : {}),
  };
  const { catalogue, problems: others } = applyModelsFile(sound, Object.keys(models ?? {}));
  if (problems.length + others.length > 0) throw new FileProblemsError([...problems, ...others]);
  return { catalogue, from: whole.from === undefined ? null : Date.parse(whole.from) };
}

const pricesSchema = once(() =>
  Joi.object<Record<string, Record<string, number>>>().pattern(text(64), credits()).required(),
);

/** Reads the content of PRICES_FILE, which changes prices of built-in models. @throws FileProblemsError */
export function parsePricesFile(content: unknown): ModelsFile {
  const prices = new Map(Object.entries(checkContent(pricesSchema(), content)));
  const problems: string[] = [];
  const models = builtIn.map((model) => {
    const own = prices.get(model.id);
    if (own === undefined) return model;
    prices.delete(model.id);
    return applyEntry(model.id, model, { pricing: { credits: own } }, ([, , ...path], sentence) => {
      reporter(problems, [model.id])(path, sentence);
    });
  });
  const ids = builtIn.map(({ id }) => id);
  for (const id of prices.keys()) {
    reporter(problems, [id])([], `is not a built-in model${didYouMean(id, ids)}`);
  }
  if (problems.length > 0) throw new FileProblemsError(problems);
  return { catalogue: { models, groups: {} }, from: null };
}
