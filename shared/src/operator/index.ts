/* The operator API: its operations with their schemas, and its OpenAPI document. */
export { buildOperatorOpenApi, operatorOpenApiSteps } from './openApi.ts';
export { isWrite, type OperatorOperation } from './operation.ts';
export {
  operatorOperations,
  type BodyOf,
  type OperatorOperationId,
  type ParamsOf,
  type QueryOf,
  type ResponseOf,
  type IsWrite as Writes,
} from './operations.ts';
export { sitePage } from './signInLinkOperations.ts';
export { pageLimits, type Page } from './fields.ts';
export { reportLimits } from './reportSchemas.ts';
export { creditEvents, eventTypes } from './eventTypes.ts';
export { operatorErrorSchema } from './errorSchema.ts';
export type * from './generated/wire.ts';
