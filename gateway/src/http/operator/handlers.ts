import type { BodyOf, OperatorOperationId, ParamsOf, QueryOf } from '@framegate/contract/operator';
import {
  changeCustomerLimits,
  createCustomer,
  getCustomer,
  listCustomers,
  setCustomerStatus,
  upsertCustomer,
} from '../../application/operator/accounts.ts';
import {
  adjustForCustomer,
  getCredits,
  grantToCustomer,
  listAccountLedger,
  listLedger,
} from '../../application/operator/credits.ts';
import type {
  OperatorAnswer,
  OperatorDeps,
  OperatorWriteCall,
} from '../../application/operator/operatorDeps.ts';

/** A validated request of an operation. */
export interface OperatorInput<Id extends OperatorOperationId> {
  params: ParamsOf<Id>;
  query: QueryOf<Id>;
  body: BodyOf<Id>;
  call: OperatorWriteCall;
}

type Handler<Id extends OperatorOperationId> = (
  deps: OperatorDeps,
  input: OperatorInput<Id>,
) => Promise<BodyOf<Id> extends undefined ? object : OperatorAnswer>;

/** The use case of each operation. Those with a body write. */
export const operatorHandlers: { readonly [Id in OperatorOperationId]: Handler<Id> } = {
  createAccount: (deps, { call, body }) => createCustomer(deps, call, body),
  upsertAccount: (deps, { call, params, body }) =>
    upsertCustomer(deps, call, params.external_id, body),
  listAccounts: (deps, { query }) => listCustomers(deps, query),
  getAccount: (deps, { params }) => getCustomer(deps, params.account_id),
  suspendAccount: (deps, { call, params, body }) =>
    setCustomerStatus(deps, call, params.account_id, 'suspended', body),
  resumeAccount: (deps, { call, params, body }) =>
    setCustomerStatus(deps, call, params.account_id, 'active', body),
  changeLimits: (deps, { call, params, body }) =>
    changeCustomerLimits(deps, call, params.account_id, body),
  getCredits: (deps, { params }) => getCredits(deps, params.account_id),
  grantCredits: (deps, { call, params, body }) =>
    grantToCustomer(deps, call, params.account_id, body),
  adjustCredits: (deps, { call, params, body }) =>
    adjustForCustomer(deps, call, params.account_id, body),
  listAccountLedger: (deps, { params, query }) => listAccountLedger(deps, params.account_id, query),
  listLedger: (deps, { query }) => listLedger(deps, query),
};
