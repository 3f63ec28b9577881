import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc, { type Arbitrary } from 'fast-check';
import { MongoClient } from 'mongodb';
import mongoose, { type Schema, type SchemaType } from 'mongoose';
import { schemas } from '../../gateway/src/adapters/mongo/models/all.ts';
import { codecOf } from '../../gateway/src/adapters/mongo/models/codec.ts';
import { validatorOf } from '../../gateway/src/adapters/mongo/models/validators.ts';
import { createTestDatabase } from '../support/database.ts';

const { serialize, deserialize } = mongoose.mongo.BSON;
const { DocumentArray, Subdocument, Mixed } = mongoose.Schema.Types;

/** Names of providers' data that our own times have as well, and numbers that could be times. */
const names = ['at', 'createdAt', 'fooUntil', 'leaseUntil', 'id', '_id', 'data', 'n'];
const anything = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.string(),
    fc.constant(null),
    fc.boolean(),
    fc.integer({ min: 0, max: 4_102_444_800_000 }),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 4 }),
}));

const time = fc.integer({ min: 0, max: 4_102_444_800_000 });

/** Any value that a schema allows, as the domain has it. */
function valuesOf(schema: Schema): Arbitrary<Record<string, unknown>> {
  const required: Record<string, Arbitrary<unknown>> = {};
  const optional: Record<string, Arbitrary<unknown>> = {};
  schema.eachPath((path, type) => {
    if (path.includes('$*')) return;
    const options = type.options as { required?: boolean; default?: unknown; allowNull?: boolean };
    const value = valueOf(type);
    const name = path === '_id' ? 'id' : path;
    if (options.required === true) required[name] = value;
    else if (options.default === null) required[name] = fc.option(value);
    else optional[name] = options.allowNull === false ? value : fc.option(value);
  });
  return fc.record(
    { ...required, ...optional },
    { requiredKeys: Object.keys(required) as never[] },
  );
}

function valueOf(type: SchemaType): Arbitrary<unknown> {
  const {
    enum: texts,
    min,
    max,
  } = type.options as {
    enum?: string[];
    min?: number;
    max?: number;
  };
  const inner = type.getEmbeddedSchemaType();
  if (type instanceof DocumentArray) return fc.array(valuesOf(type.schema), { maxLength: 3 });
  if (type instanceof Subdocument) return valuesOf(type.schema);
  if (type instanceof Mixed) return anything.object;
  if (type.instance === 'Map' && inner) {
    return fc.dictionary(fc.integer({ min: 1, max: 9 }).map(String), valueOf(inner), {
      maxKeys: 3,
    });
  }
  if (type.instance === 'Array' && inner) return fc.array(valueOf(inner), { maxLength: 3 });
  if (type.instance === 'Date') return time;
  if (type.instance === 'Boolean') return fc.boolean();
  if (type.instance === 'String') return texts ? fc.constantFrom(...texts) : fc.string();
  if (type.instance === 'Number') return fc.integer({ min: min ?? -1e9, max: max ?? 1e13 });
  throw new Error(`no values of ${type.instance}`);
}

const all = Object.entries(schemas) as unknown as [string, Schema][];
const codecFor = (schema: Schema) => codecOf<object>()(schema as never);

test.each(all)('a value of %s survives the round trip to the database', (_, schema) => {
  const codec = codecFor(schema);
  fc.assert(
    fc.property(valuesOf(schema), (value) => {
      const bytes = serialize(codec.toStored(value));
      expect(codec.fromStored(deserialize(bytes))).toEqual(value);
    }),
  );
});

const database = createTestDatabase();
const client = new MongoClient(database.uri);
beforeAll(() => client.connect());
afterAll(async () => {
  await client.close();
  await database.drop();
});

test.each(all)('the database accepts every value of %s, and returns it', async (name, schema) => {
  const codec = codecFor(schema);
  const collection = await client.db(database.name).createCollection(name, {
    validator: validatorOf(schema),
  });
  const values = fc.sample(valuesOf(schema), 30).map((value, index) => ({
    ...value,
    id: `id ${index}`,
  }));
  await collection.insertMany(values.map((value) => codec.toStored(value)));
  const found = await collection.find({}, { sort: { $natural: 1 } }).toArray();
  expect(found.map(codec.fromStored)).toEqual(values);
});
