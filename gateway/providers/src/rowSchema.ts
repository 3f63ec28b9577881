import Joi from 'joi';
import {
  type ByKind,
  byKind,
  imageResolutions,
  type Parameter,
  parameterTables,
  videoModes,
  videoResolutions,
} from '@framegate/contract';
import { fields, withReadableMessages } from './joiShapes.ts';
import { flagFields } from './resultFlags.ts';
import { costSchema } from './routeCost.ts';
import { formPlaceholders, interfaceFields, placeholders, promises } from './sendRules.ts';
import { ruleCodes } from './verdicts.ts';

/** Values of `does` for the rows of a parameter. */
const limitSchemas: ByKind<[same: readonly Parameter[]], Joi.Schema> = {
  // Providers may do more than is sold.
  integer: ({ range: { min, max } }) =>
    numbers(
      Joi.number()
        .integer()
        .min(min)
        .max(2 * max),
    ),
  fraction: ({ range: { min, max } }) => numbers(Joi.number().min(min).max(max)),
  choice: (_, same) => {
    const values = same.flatMap((each) => (each.kind === 'choice' ? each.values : []));
    return Joi.array().items(Joi.string().valid(...values));
  },
  flag: ({ support }) => (support?.mayForce ? Joi.valid(true, false, 'always') : Joi.boolean()),
  text: ({ maxLength }) =>
    Joi.alternatives(Joi.boolean(), Joi.number().integer().min(1).max(maxLength)),
};

const count = Joi.number().integer().min(0).max(100);
const modes = Joi.array().items(Joi.string().valid(...videoModes));
const resolutions = Joi.array().items(Joi.string().valid(...videoResolutions, ...imageResolutions));

/** Values of `does` for each parameter; a choice has the values of both types. */
function limitSchemaMap(isTaken: (row: Parameter) => boolean): Joi.SchemaMap {
  const rows = Object.values(parameterTables).flatMap((table) => Object.values(table));
  const duplicates = rows.filter((row) => row.support !== null && isTaken(row));
  const byName = Map.groupBy(duplicates, ({ support }) => support?.name ?? '');
  return Object.fromEntries([...byName].map(([name, same]) => [name, limitOf(same)]));
}

function limitOf(same: readonly Parameter[]): Joi.Schema {
  const [row] = same;
  return row === undefined ? Joi.forbidden() : byKind(limitSchemas, row, same);
}

function numbers(one: Joi.NumberSchema): Joi.Schema {
  return Joi.alternatives(
    Joi.object({ min: one.required(), max: one.min(Joi.ref('min')).required() }),
    Joi.array().items(one).min(1),
  );
}

/** Limits on all requests, or on those of a kind. */
const limits = limitSchemaMap(({ apart }) => !apart);

/** Schema of `does`, of a row or a route. */
export const doesSchema = fields({
  ...limitSchemaMap(() => true),
  lastFrame: Joi.boolean(),
  references: fields({ image: count, video: count, audio: count }),
  modes,
  requires: Joi.array().items(Joi.valid('lastFrame', 'references')),
  combinations: Joi.array().items(
    fields({
      when: fields({ modes, resolutions }).min(1).required(),
      only: fields(limits).min(1).required(),
    }),
  ),
});

const interfaceField = [...new Set(Object.values(interfaceFields).flat())].join('|');
const fieldName = Joi.string()
  .max(200)
  .pattern(
    new RegExp(String.raw`^(@(${interfaceField})|[\w:]+(\.[\w:]+)*)$`),
    `a field of the provider, or one of @${interfaceField.replaceAll('|', ', @')}`,
  );

const template = Joi.string()
  .max(200)
  .custom((text: string, helpers) => {
    const wrong = formPlaceholders(text).find((name) => !(name in placeholders));
    return wrong === undefined ? text : helpers.error('form.placeholder', { wrong });
  })
  .messages({
    'form.placeholder': `has the placeholder {{#wrong}}, which is none of ${Object.keys(placeholders).join(', ')}`,
  });

const frames = Joi.object({
  fps: Joi.number().min(1).max(240).required(),
  extra: Joi.number().integer().min(0).max(16),
});

const form = Joi.alternatives()
  .conditional(Joi.object({ fps: Joi.required() }).unknown(), { then: frames })
  .conditional(Joi.object(), {
    then: Joi.object().pattern(Joi.string(), Joi.any()).min(1),
    otherwise: template,
  })
  .messages({ 'string.base': 'must be a text with placeholders, or a value for each of ours' });

const placement = Joi.alternatives()
  .conditional(Joi.object(), {
    then: Joi.object()
      .pattern(fieldName, form)
      .min(1)
      .messages({
        'object.unknown': `must be a field of the provider, or one of @${interfaceField.replaceAll('|', ', @')}`,
      }),
    otherwise: fieldName,
  })
  .messages({ 'string.base': 'must be the name of a field, or fields with their forms' });

/** Schema of `send`, of a row or a route. */
export const sendSchema = fields({
  ...Object.fromEntries(promises.map((promise) => [promise, placement])),
  fixed: Joi.object(),
});

const source = Joi.string().uri({ scheme: 'https' }).required();
const day = Joi.string().isoDate().length(10);
const citation = { source, readOn: day.required() };
const size = Joi.string().pattern(/^\d{2,5}x\d{2,5}$/, 'a width and a height, such as 1280x720');

/** Schema of a row. */
export const rowSchema = fields({
  type: Joi.valid('video', 'image').required(),
  match: Joi.array().items(Joi.string().max(200)).min(1).required(),
  does: doesSchema.required(),
  send: Joi.alternatives().conditional(Joi.object(), { then: sendSchema, otherwise: Joi.string() }),
  ...citation,
  sizes: Joi.alternatives().conditional(Joi.object(), {
    then: Joi.object().pattern(Joi.string(), Joi.object().pattern(Joi.string(), size)),
    otherwise: Joi.string(),
  }),
  step: Joi.number().integer().min(1).max(64),
  keepsPictureRatio: Joi.valid(true),
  retired: fields({ on: day.required(), replacement: Joi.string().allow(null).required() }),
  listPrice: costSchema,
});

const name = Joi.string().max(100);
const keyHeader = Joi.object()
  .pattern(/^[a-z-]+$/, Joi.string().pattern(/\{key\}/, 'a text with {key}'))
  .length(1)
  .required();
const ownUrl = Joi.string().pattern(
  /^(https:\/\/|\{(baseURL|value)\}\/)/,
  'an https URL or a path after {baseURL} or {value}',
);

/** A regular expression. */
const pattern = Joi.string().custom((text: string) => new RegExp(text).source);

/** A gap of any length behind other words: a search takes time by the square of the text. */
const endlessGap = /(?<!^\^\(?)(?:(?<!\\)\.|\[\^[^[\]]*\])(?:[*+]|\{\d+,\})/;
/** A regular expression that searches an error text. */
const errorPattern = pattern.custom((text: string) => {
  if (!endlessGap.test(text)) return text;
  throw new Error('it has a gap without an end: bound it, such as .{0,200}');
});

/** Schema of the description of a provider. */
export const providerFileSchema = withReadableMessages(
  fields({
    name: name.required(),
    package: fields({
      name: name.required(),
      version: name.required(),
      keyOption: Joi.valid('apiKey', 'apiToken').default('apiKey'),
      options: Joi.array().items(name).default([]),
    }),
    apiHosts: Joi.array().items(name),
    takesBytesOnly: Joi.valid(true),
    maxPollMib: Joi.number().integer().min(1).max(256),
    queuesImages: Joi.valid(true),
    imagesPerCall: Joi.number().integer().min(1),
    imagePolls: name,
    errors: Joi.array()
      .items(
        fields({
          ...citation,
          rules: Joi.array()
            .items(
              fields({ match: errorPattern.required(), code: Joi.valid(...ruleCodes).required() }),
            )
            .min(1)
            .required(),
        }),
      )
      .default([]),
    flags: Joi.array()
      .items(fields({ ...flagFields, ...citation }))
      .default([]),
    operations: Joi.array().items(
      fields({ id: pattern, operation: Joi.object().pattern(name, Joi.string()).required() }),
    ),
    task: fields({ field: name.required(), response: name }),
    cancel: fields({
      method: Joi.valid('POST', 'PUT', 'DELETE').required(),
      field: name.required(),
      url: ownUrl.required(),
      headers: keyHeader,
    }),
    send: Joi.object().pattern(Joi.string(), sendSchema),
    probe: fields({ url: ownUrl.required(), headers: keyHeader, balance: name, ...citation }),
    rows: Joi.array().items(rowSchema).required(),
  }),
);
