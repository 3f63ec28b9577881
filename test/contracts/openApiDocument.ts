import { Ajv2020 } from 'ajv/dist/2020.js';
import { buildOpenApi } from '@framegate/contract/openapi';

/* The OpenAPI document, and its schemas as a validator that is not ours. */

interface ApiResponse {
  headers: Record<string, { $ref: string }>;
  content?: {
    'application/json': { schema: { $ref: string }; examples?: Record<string, { $ref: string }> };
  };
}
interface Operation {
  operationId: string;
  security?: unknown[];
  parameters?: { name: string; required: boolean }[];
  requestBody?: {
    content: {
      'application/json': {
        schema: { $ref: string };
        examples: Record<string, { value: unknown }>;
      };
    };
  };
  responses: Record<string, ApiResponse>;
}

export const baseUrl = 'https://api.example.com/v1';
const api = buildOpenApi({ baseUrl });
/** The document as transferred. */
export const text = JSON.stringify(api);
export const document = JSON.parse(text) as typeof api;
/** Each by its method and path. */
export const operations = Object.entries(
  document.paths as unknown as Record<string, Record<string, Operation>>,
).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => [`${method} ${path}`, operation] as const),
);
export const examples = document.components.examples as Record<string, { value: unknown }>;

const ajv = new Ajv2020({
  strict: true,
  strictRequired: false,
  allErrors: true,
  allowUnionTypes: true,
});
// This only helps to choose among mutually exclusive schemas; Ajv's own option does not support nested unions.
ajv.addKeyword('discriminator');
ajv.addFormat('date-time', (value) => new Date(value).toISOString() === value);
ajv.addFormat('uri', (value) => URL.canParse(value));
const $defs: unknown = JSON.parse(
  JSON.stringify(document.components.schemas).replaceAll('#/components/schemas/', '#/$defs/'),
);
ajv.addSchema({ $id: 'contract', $defs });
function validator(component: string) {
  const validate = ajv.getSchema(`contract#/$defs/${component}`);
  if (validate === undefined) throw new Error(`no component ${component}`);
  return validate;
}
/** Problems of a value by a component's schema; null when it fits. */
export function schemaErrors(component: string, value: unknown): unknown {
  const validate = validator(component);
  return validate(value) === true ? null : validate.errors;
}
/** The component that a reference names. */
export const refName = ({ $ref }: { $ref: string }) => $ref.slice($ref.lastIndexOf('/') + 1);
