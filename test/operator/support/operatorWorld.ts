import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { operatorScopeNames } from '@framegate/contract';
import { createOperatorKeyStore } from '../../../gateway/src/adapters/mongo/staff/operatorStores.ts';
import {
  createOperatorKey,
  type CreateOperatorKeyCommand,
} from '../../../gateway/src/application/operator/operatorKeys.ts';
import { freePort } from '../../support/freePort.ts';
import { type ApiResponse, startTestGateway, type TestGateway } from '../../support/gateway.ts';

/** Requests to the operator API with one key. */
export interface OperatorClient {
  keyId: string;
  operatorKey: string;
  /** Sends JSON; writes get an Idempotency-Key unless one is given (null: none is sent). */
  call(
    method: string,
    path: string,
    body?: unknown,
    idempotencyKey?: string | null,
  ): Promise<ApiResponse>;
  get(path: string): Promise<ApiResponse>;
  post(path: string, body?: unknown, idempotencyKey?: string | null): Promise<ApiResponse>;
}

/** A gateway with an operator API. */
export interface OperatorWorld {
  gateway: TestGateway;
  origin: string;
  /** A client with every scope. */
  operator: OperatorClient;
  addKey(command?: Partial<CreateOperatorKeyCommand>): Promise<OperatorClient>;
  /** Makes an account by the API. @returns Its id. */
  addCustomer(externalId?: string): Promise<string>;
  /** Begins an erasure at once, with two keys. @returns The second response. */
  erase(accountId: string): Promise<ApiResponse>;
}

/** Starts a gateway whose operator API listens. */
export async function startOperatorWorld(env: Record<string, string> = {}): Promise<OperatorWorld> {
  const gateway = await startTestGateway({
    ROLE: 'api',
    OPERATOR_PORT: String(await freePort()),
    ...env,
  });
  const origin = gateway.operatorUrl ?? '';
  const { clock, models } = gateway;
  const addKey: OperatorWorld['addKey'] = async (command = {}) => {
    const deps = {
      operatorKeys: createOperatorKeyStore(models),
      clock,
      random: gateway.random,
      pepper: gateway.pepper,
    };
    const { stored, operatorKey } = await createOperatorKey(deps, {
      name: 'test',
      scopes: operatorScopeNames,
      addresses: [],
      expiresAt: null,
      ...command,
    });
    return operatorClient(origin, stored.id, operatorKey);
  };
  const operator = await addKey();
  return {
    gateway,
    origin,
    operator,
    addKey,
    async addCustomer(externalId = randomUUID()) {
      const body = { external_id: externalId, email: `${randomUUID()}@customers.example` };
      const { json } = await operator.post('/accounts', body);
      return String(json['id']);
    },
    async erase(accountId) {
      await operator.post(`/accounts/${accountId}/erase`, { reason: 'asked for it' });
      const second = await addKey({ scopes: ['accounts:erase'] });
      return second.post(`/accounts/${accountId}/erase`, { reason: 'asked for it' });
    },
  };
}

/**
 * A gateway with an operator API for a test file, which logs no error.
 * @returns The world and its client with every scope, to be used from the first test on.
 */
export function useOperatorWorld(env: Record<string, string> = {}): {
  world: OperatorWorld;
  operator: OperatorClient;
} {
  let started: OperatorWorld | undefined;
  beforeAll(async () => {
    started = await startOperatorWorld(env);
  });
  afterAll(async () => {
    await started?.gateway.stop();
    expect(started?.gateway.errors).toEqual([]);
  });
  const world = () => {
    if (started === undefined) throw new Error('the operator world has not started');
    return started;
  };
  return { world: later(world), operator: later(() => world().operator) };
}

/** An object created on the first read of its fields. */
function later<T extends object>(find: () => T): T {
  return new Proxy({} as T, { get: (_, name) => Reflect.get(find(), name) as unknown });
}

/** Requests with any text as key. */
export function operatorClient(origin: string, keyId: string, operatorKey: string): OperatorClient {
  const call: OperatorClient['call'] = async (method, path, body, idempotencyKey) => {
    const isWrite = method !== 'GET';
    const key = idempotencyKey === undefined ? randomUUID() : idempotencyKey;
    const response = await fetch(`${origin}/operator/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${operatorKey}`,
        ...(isWrite && { 'content-type': 'application/json' }),
        ...(isWrite && key !== null && { 'idempotency-key': key }),
      },
      ...(isWrite && { body: typeof body === 'string' ? body : JSON.stringify(body ?? {}) }),
    });
    const text = await response.text();
    const json = JSON.parse(text) as Record<string, unknown>;
    return { status: response.status, headers: response.headers, text, json };
  };
  return {
    keyId,
    operatorKey,
    call,
    get: (path) => call('GET', path),
    post: (path, body, idempotencyKey) => call('POST', path, body, idempotencyKey),
  };
}

/** The error of a response. */
export function errorOf({ status, json }: ApiResponse) {
  const { code, message, param } = (json['error'] ?? {}) as Record<string, unknown>;
  return { status, code, message, param };
}
