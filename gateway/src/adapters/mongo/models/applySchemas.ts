import { isDeepStrictEqual } from 'node:util';
import mongoose, { type mongo, type Schema } from 'mongoose';
import { schemas } from './all.ts';
import { validatorOf } from './validators.ts';

/** The database's reaction to a document that violates its schema: a line in its log, or a refusal. */
export type ValidationAction = 'warn' | 'error';

/** How long changing a validator may block statements behind an open transaction, in ms. */
const maxTimeMS = 5_000;

/**
 * Gives every collection its schema's validator, then its missing indexes; existing ones are not written again. Stored
 * documents that violate the schema can still be changed (`moderate`).
 * @param requireLease Called between two steps.
 */
export async function applySchemas(
  db: mongo.Db,
  validationAction: ValidationAction,
  requireLease: () => void,
): Promise<void> {
  const collections = await db.listCollections().toArray();
  const storedOptions = new Map(
    collections.map(({ name, ...each }) => [name, (each as ListedCollection).options]),
  );
  for (const schema of allSchemas) {
    requireLease();
    const name = collectionOf(schema);
    const validator = validatorOf(schema);
    const expected = { validator, validationLevel: 'moderate', validationAction } as const;
    const options = storedOptions.get(name);
    if (options === undefined) {
      await createCollection(db, name, expected);
    } else if (!isDeepStrictEqual(pick(options, expected), expected)) {
      await db.command({ collMod: name, ...expected, maxTimeMS });
    }
  }
  for (const schema of allSchemas) {
    const indexes = indexesOf(schema);
    if (indexes.length === 0) continue;
    requireLease();
    await db.collection(collectionOf(schema)).createIndexes(indexes);
  }
}

/** The indexes of a schema for the driver; one with other keys or options gets another name. */
export const indexesOf = (schema: Schema): (mongo.IndexDescription & { name: string })[] =>
  schema.indexes().map(([key, options]) => {
    const namedOptions = Object.entries(options).filter(([name]) => name !== 'background');
    return {
      key: key as Record<string, 1 | -1>,
      ...(Object.fromEntries(namedOptions) as { name: string }),
    };
  });

const allSchemas = Object.values(schemas) as unknown as Schema[];
const collectionOf = (schema: Schema) => String(schema.get('collection'));

interface ListedCollection {
  options?: Record<string, unknown>;
}

const pick = (from: Record<string, unknown>, names: object) =>
  Object.fromEntries(Object.keys(names).map((name) => [name, from[name]]));

const { MongoServerError } = mongoose.mongo;

/** Creates a collection, unless a serving process was faster. */
async function createCollection(
  db: mongo.Db,
  name: string,
  options: mongo.CreateCollectionOptions,
): Promise<void> {
  try {
    await db.createCollection(name, options);
  } catch (error) {
    if (!(error instanceof MongoServerError && error.codeName === 'NamespaceExists')) throw error;
    await db.command({ collMod: name, ...options, maxTimeMS });
  }
}
