import {
  apiKeySchema,
  approveHostSchema,
  createKeySchema,
  keyPage,
  rotateKeySchema,
} from './keySchemas.ts';
import type { OperatorOperation } from './operation.ts';
import { reasonSchema } from './schemas.ts';

/** Operations on API keys and their input hosts. */
export const keyOperations = {
  createKey: {
    method: 'POST',
    path: '/accounts/{account_id}/keys',
    tag: 'Keys',
    scope: 'keys:write',
    summary: 'Create an API key for a customer',
    description: 'Returns the key itself in api_key. It cannot be retrieved later.',
    body: createKeySchema,
    status: 201,
    response: apiKeySchema,
    refusals: [
      'account_not_found',
      'model_not_found',
      'key_name_missing',
      'host_invalid',
      'key_hosts_full',
      'keys_full',
      'account_hosts_full',
    ],
  },
  listKeys: {
    method: 'GET',
    path: '/accounts/{account_id}/keys',
    tag: 'Keys',
    scope: 'keys:read',
    summary: 'List the API keys of an account',
    description: 'Active keys and the most recently revoked ones, oldest first.',
    status: 200,
    response: keyPage,
    refusals: ['account_not_found'],
  },
  rotateKey: {
    method: 'POST',
    path: '/accounts/{account_id}/keys/{key_id}/rotate',
    tag: 'Keys',
    scope: 'keys:write',
    summary: 'Replace an API key',
    description:
      'Returns a new key with the same name, models, hosts and limits. The previous key keeps working for the overlap period.',
    body: rotateKeySchema,
    status: 201,
    response: apiKeySchema,
    refusals: [
      'account_not_found',
      'key_not_found',
      'key_revoked',
      'keys_full',
      'account_hosts_full',
    ],
  },
  revokeKey: {
    method: 'POST',
    path: '/accounts/{account_id}/keys/{key_id}/revoke',
    tag: 'Keys',
    scope: 'keys:write',
    summary: 'Revoke an API key',
    description:
      'Revokes the key permanently: immediately for create requests, within five seconds for reads.',
    body: reasonSchema,
    status: 200,
    response: apiKeySchema,
    refusals: ['account_not_found', 'key_not_found'],
  },
  approveHost: {
    method: 'POST',
    path: '/accounts/{account_id}/keys/{key_id}/hosts',
    tag: 'Keys',
    scope: 'keys:write',
    summary: 'Approve an input host for an API key',
    description: 'Works whether or not the owner has requested the host.',
    body: approveHostSchema,
    status: 200,
    response: apiKeySchema,
    refusals: [
      'account_not_found',
      'key_not_found',
      'host_invalid',
      'key_hosts_full',
      'account_hosts_full',
    ],
  },
} as const satisfies Record<string, OperatorOperation>;
