/* The operator API: its operations with their schemas, and its OpenAPI document. */
export { buildOperatorOpenApi, messageOf } from './openApi.ts';
export {
  operatorOperations,
  refusalsOfOperation,
  type OperatorOperation,
  type BodyOf,
  type OperatorOperationId,
  type ParamsOf,
  type QueryOf,
} from './operations.ts';
export { pageLimits } from './schemas.ts';
export type * from './wire.ts';
