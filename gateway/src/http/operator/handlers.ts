import type {
  BodyOf,
  OperatorOperationId,
  operatorOperations,
  ParamsOf,
  QueryOf,
  Writes,
} from '@framegate/contract/operator';
import type { Slot } from '@framegate/limits';
import type { App } from '../../application/app.ts';
import {
  createCustomer,
  getCustomer,
  listCustomers,
  setCustomerGroup,
  setCustomerLimits,
  setCustomerStatus,
} from '../../application/operator/accounts.ts';
import { listCatalogueVersions } from '../../application/operator/catalogueVersions.ts';
import {
  adjustForCustomer,
  getCredits,
  grantToCustomer,
  listAccountLedger,
  listLedger,
} from '../../application/operator/credits.ts';
import { eraseCustomer, getErasure, withdrawErasure } from '../../application/operator/erasures.ts';
import { listEvents } from '../../application/operator/events.ts';
import {
  createForCustomer,
  failGeneration,
  getGenerationOf,
  listGenerations,
  quoteForCustomer,
  takeDownGeneration,
} from '../../application/operator/generations.ts';
import {
  approveCustomerHost,
  createCustomerKey,
  listCustomerKeys,
  revokeCustomerKey,
  rotateCustomerKey,
} from '../../application/operator/keys.ts';
import {
  listTeamMembers,
  removeTeamMember,
  setTeamMember,
} from '../../application/operator/members.ts';
import type {
  OperatorResponse,
  OperatorWriteCall,
} from '../../application/operator/operatorCall.ts';
import {
  changeCustomerPlan,
  endCustomerPlan,
  getCustomerPlan,
  startCustomerPlan,
} from '../../application/operator/plans.ts';
import { getUsage, getUsageCsv } from '../../application/operator/reports.ts';
import { createSignInLink } from '../../application/operator/signInLinks.ts';
import { upsertCustomer } from '../../application/operator/upsertCustomer.ts';

/** A validated request of an operation. */
export interface OperatorInput<Id extends OperatorOperationId> {
  params: ParamsOf<Id>;
  query: QueryOf<Id>;
  body: BodyOf<Id>;
  call: OperatorWriteCall;
  /** Aborted when the client disconnects or the process stops. */
  signal: AbortSignal;
  /** Takes a slot for waits in exchange for the one of the call; null if none is free. */
  beginWait: () => Slot | null;
}

/** Text if the operation does not answer JSON. */
type ResponseOf<Id extends OperatorOperationId> =
  Writes<Id> extends true
    ? OperatorResponse
    : (typeof operatorOperations)[Id] extends { media: string }
      ? string
      : object;

type Handler<Id extends OperatorOperationId> = (
  deps: App,
  input: OperatorInput<Id>,
) => Promise<ResponseOf<Id>>;

/** The use case of each operation. */
export const operatorHandlers: { readonly [Id in OperatorOperationId]: Handler<Id> } = {
  createAccount: (deps, { call, body }) => createCustomer(deps, call, body),
  upsertAccount: (deps, { call, params, body }) =>
    upsertCustomer(deps, call, params.external_id, body),
  listAccounts: (deps, { query }) => listCustomers(deps, query),
  getAccount: (deps, { params }) => getCustomer(deps, params.account_id),
  getErasure: (deps, { params }) => getErasure(deps, params.account_id),
  suspendAccount: (deps, { call, params, body }) =>
    setCustomerStatus(deps, call, params.account_id, 'suspended', body),
  resumeAccount: (deps, { call, params, body }) =>
    setCustomerStatus(deps, call, params.account_id, 'active', body),
  changeLimits: (deps, { call, params, body }) =>
    setCustomerLimits(deps, call, params.account_id, body),
  eraseAccount: (deps, { call, params, body }) =>
    eraseCustomer(deps, call, params.account_id, body),
  withdrawErasure: (deps, { call, params, body }) =>
    withdrawErasure(deps, call, params.account_id, body),
  changeGroup: (deps, { call, params, body }) =>
    setCustomerGroup(deps, call, params.account_id, body),
  createSignInLink: (deps, { call, params, body }) =>
    createSignInLink(deps, call, params.account_id, body),
  getCredits: (deps, { params }) => getCredits(deps, params.account_id),
  grantCredits: (deps, { call, params, body }) =>
    grantToCustomer(deps, call, params.account_id, body),
  adjustCredits: (deps, { call, params, body }) =>
    adjustForCustomer(deps, call, params.account_id, body),
  listAccountLedger: (deps, { params, query }) => listAccountLedger(deps, params.account_id, query),
  listLedger: (deps, { query }) => listLedger(deps, query),
  getPlan: (deps, { params }) => getCustomerPlan(deps, params.account_id),
  startPlan: (deps, { call, params, body }) =>
    startCustomerPlan(deps, call, params.account_id, body),
  changePlan: (deps, { call, params, body }) =>
    changeCustomerPlan(deps, call, params.account_id, body),
  endPlan: (deps, { call, params, body }) => endCustomerPlan(deps, call, params.account_id, body),
  createKey: (deps, { call, params, body }) =>
    createCustomerKey(deps, call, params.account_id, body),
  listKeys: (deps, { params }) => listCustomerKeys(deps, params.account_id),
  rotateKey: (deps, { call, params, body }) => rotateCustomerKey(deps, call, keyOf(params), body),
  revokeKey: (deps, { call, params, body }) => revokeCustomerKey(deps, call, keyOf(params), body),
  approveHost: (deps, { call, params, body }) =>
    approveCustomerHost(deps, call, keyOf(params), body),
  listMembers: (deps, { params }) => listTeamMembers(deps, params.account_id),
  setMember: (deps, { call, params, body }) => setTeamMember(deps, call, params.account_id, body),
  removeMember: (deps, { call, params, body }) =>
    removeTeamMember(
      deps,
      call,
      { accountId: params.account_id, memberId: params.member_id },
      body,
    ),
  quote: (deps, { params, body }) => quoteForCustomer(deps, params.account_id, body),
  createVideo: (deps, { call, params }) =>
    createForCustomer(deps, call, params.account_id, '/v1/videos'),
  createImage: (deps, { call, params }) =>
    createForCustomer(deps, call, params.account_id, '/v1/images'),
  listGenerations: (deps, { params, query }) => listGenerations(deps, params.account_id, query),
  getGeneration: (deps, { params }) => getGenerationOf(deps, params.generation_id),
  failGeneration: (deps, { call, params, body }) =>
    failGeneration(deps, call, params.generation_id, body),
  listCatalogueVersions: (deps, { query }) => listCatalogueVersions(deps, query),
  listEvents: (deps, { query, signal, beginWait }) => listEvents(deps, query, signal, beginWait),
  getUsage: (deps, { query }) => getUsage(deps, query),
  getUsageCsv: (deps, { query }) => getUsageCsv(deps, query),
  takeDownGeneration: (deps, { call, params, body }) =>
    takeDownGeneration(deps, call, params.generation_id, body),
};

const keyOf = (params: { account_id: string; key_id: string }) => ({
  accountId: params.account_id,
  keyId: params.key_id,
});
