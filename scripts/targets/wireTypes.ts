import { contractParts, type JsonSchema, jsonSchemaOf } from '@framegate/contract/openapi';
import {
  operatorErrorSchema,
  type OperatorOperation,
  operatorOperations,
} from '@framegate/contract/operator';
import type { Target } from '../target.ts';
import { head } from './integrationContract.ts';
import { declaration, typeOf } from './typescriptTypes.ts';

/*
 * Types of the bodies and responses, for the gateway. They are closed: this version's responses contain only the codes
 * that it knows, while clients must expect more. The schemas name the generated types only in type imports, which Node
 * removes, so the generator runs without the files that it makes.
 */

type Schema = Parameters<typeof jsonSchemaOf>[0];
type Schemas = Record<string, JsonSchema>;

/** The gateway's names of responses whose document names mean something else in the gateway. */
const otherNames: Readonly<Record<string, string>> = {
  EffectiveImageParameters: 'ImageParameters',
  EffectiveVideoParameters: 'VideoParameters',
  Error: 'ErrorBody',
  Generation: 'GenerationRecord',
  Model: 'ModelEntry',
  Account: 'OperatorAccount',
  AccountGeneration: 'OperatorGeneration',
  ApiKey: 'OperatorApiKey',
  Erasure: 'OperatorErasure',
  Event: 'OperatorEvent',
  LedgerEntry: 'OperatorLedgerEntry',
  Limits: 'OperatorLimits',
  Lot: 'OperatorLot',
  Member: 'OperatorMember',
  Plan: 'OperatorPlan',
  QuoteResponse: 'OperatorQuote',
  SignInLink: 'SignInLinkResponse',
};

const convert = (schemas: readonly Schema[], into: Schemas) =>
  schemas.map((schema) => jsonSchemaOf(schema, 'closed', into));

const bodies: Schemas = {};
const responses: Schemas = {};
convert(contractParts.requests, bodies);
convert(contractParts.responses, responses);
const publicSchemas = { ...bodies, ...responses };

const operations = Object.entries<OperatorOperation>(operatorOperations);
const operatorResponses: Schemas = {};
const each = (part: 'body' | 'query') =>
  operations.flatMap(([id, { [part]: schema }]) =>
    schema === undefined ? [] : convert([schema], bodies).map((type) => [id, type] as const),
  );
const byOperation = {
  OperatorBodies: each('body'),
  OperatorQueries: each('query'),
  OperatorResponses: operations.flatMap(([id, { response, media }]) =>
    media === undefined
      ? convert([response], operatorResponses).map((type) => [id, type] as const)
      : [],
  ),
};
convert([operatorErrorSchema], operatorResponses);
const operatorOnlySchemas = Object.fromEntries(
  Object.entries({ ...bodies, ...operatorResponses }).filter(([name]) => !(name in publicSchemas)),
);

const clientTypeName = (name: string) =>
  name in bodies ? `${name}Body` : (otherNames[name] ?? name);

/** The document with the gateway's names in all references. */
function renameReferences<T>(schemas: T): T {
  const text = JSON.stringify(schemas);
  return JSON.parse(
    text.replaceAll(
      /"#\/components\/schemas\/(\w+)"/g,
      (_, name: string) => `"#/${clientTypeName(name)}"`,
    ),
  ) as T;
}

const declarations = (schemas: Schemas) =>
  Object.entries(renameReferences(schemas))
    .map(([name, schema]) => declaration([clientTypeName(name), schema]))
    .join('\n');

function operatorTypes(): string {
  const maps = Object.entries(renameReferences(byOperation)).map(([name, types]) => {
    const fields = types.map(([id, schema]) => `${id}: ${typeOf(schema)};`);
    return `export interface ${name} { ${fields.join('\n')} }\n`;
  });
  const text = [declarations(operatorOnlySchemas), ...maps].join('\n');
  const used = Object.keys(publicSchemas)
    .map(clientTypeName)
    .filter((name) => new RegExp(`\\b${name}\\b`).test(text));
  return `import type { ${used.toSorted().join(', ')} } from '../../generated/wire.ts';\n\n${text}`;
}

/** The types of both APIs' bodies and responses. */
export const wireTypes: readonly Target[] = [
  { file: 'shared/src/generated/wire.ts', content: () => head + declarations(publicSchemas) },
  { file: 'shared/src/operator/generated/wire.ts', content: () => head + operatorTypes() },
];
