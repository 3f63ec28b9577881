/* The operator API: its operations with their schemas, and its OpenAPI document. */
export { buildOperatorOpenApi, messageOf } from './openApi.ts';
export { isWrite, type OperatorOperation } from './operation.ts';
export {
  operatorOperations,
  type BodyOf,
  type OperatorOperationId,
  type ParamsOf,
  type QueryOf,
  type Writes,
} from './operations.ts';
export { sitePage } from './signInLinkOperations.ts';
export { pageLimits } from './fields.ts';
export { reportLimits } from './reportSchemas.ts';
export { creditEvents, eventTypes } from './eventTypes.ts';
export type * from './wire.ts';
export type * from './wireCredits.ts';
export type * from './wireGenerations.ts';
