import Joi from 'joi';
import { fields, oneOf, withReadableMessages } from '../joiShapes.ts';
import { flagFields } from '../resultFlags.ts';
import { currencySchema } from '../routeCost.ts';
import { rowSchema, sendSchema } from '../rowSchema.ts';
import { interfaceFieldIn } from '../sendRules.ts';
import { ruleCodes } from '../verdicts.ts';
import { type Description, workOf } from './description.ts';
import { placeholdersOf } from './template.ts';

const text = Joi.string().max(200);

const pointer = text.pattern(
  /^(\/([^/~]|~[01])*)*$/,
  'a JSON pointer, such as /data/status, or /data/* for every member',
);
/** One pointer or several, as a list. */
const pointers = Joi.alternatives()
  .conditional(Joi.array(), { then: Joi.array().items(pointer).min(1).max(10), otherwise: pointer })
  .custom((value?: string | string[]) => (value === undefined ? value : [value].flat()));
/** Through no list. */
const plainPointer = text.pattern(/^(\/[\w-]+)+$/, 'a JSON pointer of names, such as /data/id');

/** A text with no other placeholders than these. */
const withPlaceholders = (schema: Joi.StringSchema, ...names: string[]) =>
  schema
    .custom((value: string, helpers) => {
      const wrong = placeholdersOf(value).find((name) => !names.includes(name));
      return wrong === undefined ? value : helpers.error('text.placeholder', { wrong });
    })
    .messages({
      'text.placeholder': `has the placeholder {{#wrong}}, which is none of ${names.join(', ')}`,
    });

/** A path after the base URL, with these placeholders. */
const path = (...names: string[]) =>
  withPlaceholders(
    text.pattern(/^(\/|\{endpoint\})[^\s#]*$/, 'a path that begins with /'),
    ...names,
  );

const headerName = /^[A-Za-z][A-Za-z0-9-]{0,99}$/;

const awsName = text.pattern(/^[a-z0-9][a-z0-9-]*$/, 'a name in lower case, as AWS writes it');

/** Fields of each way to present a key. */
const authFields = {
  bearer: {},
  basic: {},
  none: {},
  header: {
    name: text.pattern(headerName, 'the name of a header').required(),
    value: text.pattern(/\{key\}/, 'a text with {key}').default('{key}'),
  },
  query: { name: text.pattern(/^[\w.-]+$/, 'the name of a query parameter').required() },
  jwt: { seconds: Joi.number().integer().min(60).max(3_600).default(1_800) },
  'google-service-account': {
    scopes: Joi.array()
      .items(Joi.string().uri({ scheme: 'https' }).max(200))
      .min(1)
      .max(20)
      .default(['https://www.googleapis.com/auth/cloud-platform']),
  },
  'aws-sigv4': { service: awsName.required(), region: awsName.required() },
} as const satisfies Record<string, Joi.SchemaMap>;

const auth = Joi.object({ type: oneOf(Object.keys(authFields)) })
  .unknown(true)
  .when('.type', {
    switch: Object.entries(authFields).map(([type, own]) => ({
      is: type,
      then: fields({ type: Joi.string(), ...own }).unknown(false),
    })),
  })
  .default({ type: 'bearer' });

const word = Joi.alternatives(Joi.string().min(1).max(100), Joi.number(), Joi.boolean()).messages({
  'alternatives.types': 'must be a word or a number',
});
const words = Joi.array().items(word).max(30);

/** Fields that `send` names belong to the provider: there is no package between. */
const ownSend = sendSchema.custom((send: object, helpers) => {
  const wrong = Object.values(send)
    .map(interfaceFieldIn)
    .find((field) => field !== undefined);
  return wrong === undefined ? send : helpers.error('send.interface', { wrong });
});

const work = fields({
  submit: fields({
    method: Joi.valid('POST', 'PUT').default('POST'),
    path: Joi.alternatives()
      .conditional(Joi.array(), {
        then: Joi.array()
          .items(
            fields({
              with: Joi.array().items(text).default([]),
              path: path('model').required(),
            }),
          )
          .min(1)
          .max(10),
        otherwise: path('model'),
      })
      .required(),
    encoding: Joi.valid('json', 'multipart').default('json'),
    body: Joi.object().default({ model: '{model}', prompt: '{prompt}' }),
    fieldsAt: pointer.allow('').default(''),
  }).required(),
  send: ownSend.default({}),
  taskId: pointer,
  poll: fields({
    method: Joi.valid('GET', 'POST').default('GET'),
    path: path('id', 'model', 'endpoint').required(),
    taskId: plainPointer,
    everySeconds: Joi.number().integer().min(1).max(300),
  }),
  states: fields({
    at: pointer.required(),
    pending: words.min(1).required(),
    completed: words.min(1).required(),
    failed: words.required(),
    refused: words.default([]),
    reasons: pointers.default([]),
  }),
  files: fields({
    addresses: pointers,
    base64: pointers,
    path: path('id', 'model').pattern(/\{id\}/, 'a path with {id}'),
    lookup: fields({ path: path('value', 'id').required(), value: pointer.required() }),
    withKey: Joi.valid(true),
  })
    .or('addresses', 'base64', 'path')
    .messages({ 'object.missing': 'must have addresses, base64 or path' })
    .required(),
  cancel: fields({
    method: Joi.valid('POST', 'PUT', 'DELETE').default('POST'),
    path: path('id', 'model').required(),
  }),
  reported: pointers.default([]),
  charged: fields({
    at: pointer.required(),
    factor: Joi.number().positive().max(1_000_000).default(1),
    currency: currencySchema,
    tokens: Joi.valid(true),
  })
    .xor('currency', 'tokens')
    .messages({
      'object.missing': 'must have currency, or tokens: true',
      'object.xor': 'must not have both currency and tokens',
    }),
  imagesPerCall: Joi.number().integer().min(1).max(16).default(1),
})
  .and('taskId', 'poll', 'states')
  .messages({ 'object.and': 'needs taskId, poll and states together, or none of them' });

const videos = work
  .custom((value: { poll?: unknown }, helpers) =>
    value.poll === undefined ? helpers.error('videos.task') : value,
  )
  .messages({ 'videos.task': 'needs taskId, poll and states: a video is made by a task' });

const hasForms = (description: Pick<Description, 'videos' | 'images'>) =>
  (['video', 'image'] as const).some(
    (type) => workOf(description, type)?.submit.encoding === 'multipart',
  );

/** Schema of a description. */
export const descriptionSchema = withReadableMessages(
  fields({
    source: Joi.string().uri({ scheme: 'https' }),
    readOn: Joi.string().isoDate().length(10),
    baseURL: Joi.string()
      .uri({ scheme: 'https' })
      .pattern(/[^/]$/, 'an https URL without / at its end'),
    auth,
    headers: Joi.object()
      .pattern(headerName, withPlaceholders(text, 'uuid'))
      .messages({ 'object.unknown': 'must be the name of a header' })
      .default({}),
    mediaHosts: Joi.array().items(text).max(50).default([]),
    takesBytesOnly: Joi.valid(true),
    errors: Joi.array()
      .items(
        fields({
          status: Joi.number().integer().min(100).max(599),
          code: Joi.alternatives(text.min(2), Joi.number()),
          contains: text.min(3),
          means: Joi.valid(...ruleCodes).required(),
        })
          .or('status', 'code', 'contains')
          .oxor('code', 'contains')
          .messages({
            'object.missing': 'must have status, code or contains',
            'object.oxor': 'must not have both code and contains',
          }),
      )
      .max(200)
      .default([]),
    flags: Joi.array().items(fields(flagFields)).max(50).default([]),
    probe: fields({ path: path().required(), balance: pointer }),
    videos,
    images: Joi.alternatives().conditional(Joi.object(), {
      then: work,
      otherwise: Joi.valid('videos'),
    }),
    rows: Joi.array()
      .items(rowSchema.keys({ send: ownSend }))
      .default([]),
  })
    .or('videos', 'images')
    .messages({ 'object.missing': 'must have videos or images' })
    .custom((value: Pick<Description, 'auth' | 'videos' | 'images'>, helpers) =>
      value.auth.type === 'aws-sigv4' && hasForms(value) ? helpers.error('auth.form') : value,
    )
    .messages({
      'auth.form': 'must not have encoding "multipart" together with auth of type aws-sigv4',
    })
    .required(),
).messages({
  'send.interface': 'has {{#wrong}}, a field of packages; name the field of the body, without @',
});
