import { accountOperations } from './accountOperations.ts';
import { catalogueOperations } from './catalogueOperations.ts';
import { creditOperations } from './creditOperations.ts';
import { eventOperations } from './eventOperations.ts';
import type { OperatorBodies, OperatorQueries, OperatorResponses } from './generated/wire.ts';
import { generationOperations } from './generationOperations.ts';
import { keyOperations } from './keyOperations.ts';
import { memberOperations } from './memberOperations.ts';
import { planOperations } from './planOperations.ts';
import { reportOperations } from './reportOperations.ts';
import { signInLinkOperations } from './signInLinkOperations.ts';

/** Every operation by id, in the order of the documentation: the source of routes, validation and documents. */
export const operatorOperations = {
  ...accountOperations,
  ...signInLinkOperations,
  ...creditOperations,
  ...planOperations,
  ...keyOperations,
  ...memberOperations,
  ...generationOperations,
  ...catalogueOperations,
  ...eventOperations,
  ...reportOperations,
};

/** The id of an operation of the operator API. */
export type OperatorOperationId = keyof typeof operatorOperations;

type Operations = typeof operatorOperations;

/** The validated body of an operation. */
export type BodyOf<Id extends OperatorOperationId> = Id extends keyof OperatorBodies
  ? OperatorBodies[Id]
  : undefined;

/** The validated query of an operation. */
export type QueryOf<Id extends OperatorOperationId> = Id extends keyof OperatorQueries
  ? OperatorQueries[Id]
  : undefined;

/** The response of an operation; text if it is not JSON. */
export type ResponseOf<Id extends OperatorOperationId> = Id extends keyof OperatorResponses
  ? OperatorResponses[Id]
  : string;

/** The parameters in the path of an operation. */
export type ParamsOf<Id extends OperatorOperationId> = Record<
  NamesIn<Operations[Id]['path']>,
  string
>;

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** Whether an operation writes. */
export type IsWrite<Id extends OperatorOperationId> = Operations[Id] extends { isRead: true }
  ? false
  : BodyOf<Id> extends undefined
    ? false
    : true;
