import { randomUUID } from 'node:crypto';
import type { Log } from '@framegate/contract';
import { setAccountLimits } from '../../gateway/src/application/accounts/accounts.ts';
import { createAccount } from '../../gateway/src/application/accounts/createAccount.ts';
import type { Allowances } from '../../gateway/src/application/allowances.ts';
import { grantCredits } from '../../gateway/src/application/credits/grantCredits.ts';
import { defaultTimings, type Timings } from '../../gateway/src/application/generations/timings.ts';
import { createKey } from '../../gateway/src/application/keys/keys.ts';
import type { ReachFaultPoint } from '../../gateway/src/application/ports/system.ts';
import type { OpenDatabase } from '../../gateway/src/compose/openDatabase.ts';
import { loadConfig } from '../../gateway/src/config.ts';
import { defaultLimits, type Limits } from '../../gateway/src/domain/accounts/limits.ts';
import { type Gateway, startGateway } from '../../gateway/src/gateway.ts';
import { takeTestDatabase } from './database.ts';
import { takeDataDir } from './dataDir.ts';
import { freePort } from './freePort.ts';
import { quickPasswords } from './quickPasswords.ts';
import { until } from './until.ts';

/** A whole gateway over real HTTP and the real database, in the test's process, with its own connection. */
export interface TestGateway
  extends
    OpenDatabase,
    Pick<Gateway, 'url' | 'operatorUrl' | 'random' | 'pepper' | 'reloadRoutes'> {
  /** Origin, such as `http://127.0.0.1:40123`. */
  origin: string;
  dataDir: string;
  env: Record<string, string>;
  /** Lines logged as errors; tests that expect none assert that. */
  errors: string[];
  addAccount(options?: AccountOptions): Promise<TestAccount>;
  /** Stops the gateway; its database and its folder stay. */
  halt(): Promise<void>;
  /** Stops the gateway and removes them. */
  stop(): Promise<void>;
}

/** Options of a test account. */
export interface AccountOptions {
  email?: string;
  credits?: number;
  hosts?: string[];
  models?: string[];
  limits?: Partial<Limits>;
  /** The account's group for prices and routes. */
  group?: string;
}

/** An account with a key, and requests made with it. */
export interface TestAccount {
  accountId: string;
  keyId: string;
  apiKey: string;
  get(path: string, headers?: Record<string, string>): Promise<ApiResponse>;
  /** Posts JSON; an Idempotency-Key is generated unless given (undefined: none is sent). */
  post(
    path: string,
    body: unknown,
    headers?: Record<string, string | undefined>,
  ): Promise<ApiResponse>;
  /** Polls until the generation has ended, and returns its record. */
  untilEnded(generationId: string): Promise<Record<string, unknown>>;
}

/** A response of the API. */
export interface ApiResponse {
  status: number;
  headers: Headers;
  text: string;
  json: Record<string, unknown>;
}

/** Limits that no test reaches by accident. */
export const plenty: Partial<Limits> = {
  createsPerMinute: 1_000_000,
  burst: 1_000_000,
  statusReadsPerMinute: 1_000_000,
  otherReadsPerMinute: 1_000_000,
};

/** Changes are seen sooner, and a faulty result need not be observed for a minute. */
export const testTimings: Timings = {
  ...defaultTimings,
  minPollDelayMs: 100,
  callersCachedMs: 1_000,
  breakersRefreshMs: 250,
  provenAfterMs: 0,
};

/**
 * Starts a gateway for a test file.
 * @param env Settings besides those that a test needs.
 * @param alsoLog Also receives every line.
 */
export async function startTestGateway(
  env: Record<string, string> = {},
  reachFaultPoint?: ReachFaultPoint,
  alsoLog?: Log,
  timings: Timings = testTimings,
  allowances?: Allowances,
): Promise<TestGateway> {
  const taken = takeTestDatabase();
  const folder = await takeDataDir();
  const errors: string[] = [];
  const log: Log = {
    debug: (fields, message) => alsoLog?.debug(fields, message),
    info: (fields, message) => alsoLog?.info(fields, message),
    warn: (fields, message) => alsoLog?.warn(fields, message),
    error: (fields, message) => {
      errors.push(`${message} ${JSON.stringify(fields)}`);
      alsoLog?.error(fields, message);
    },
  };
  const settings = {
    MONGODB_URI: taken.uri,
    DATA_DIR: folder.path,
    PORT: String(await freePort()),
    // Each result would cost another child process; tests of posters enable them.
    POSTERS: 'none',
    SIGNUP_CREDITS: '0',
    DOCUMENT_CHECKS: 'error',
    ...env,
  };
  const running = await startGateway(loadConfig(settings), {
    log,
    ...(reachFaultPoint && { reachFaultPoint }),
    timings,
    passwords: quickPasswords,
    ...(allowances && { allowances }),
  });
  const { database: connection, ...parts } = running;
  const origin = running.url ?? '';
  return {
    ...parts,
    ...connection,
    origin,
    dataDir: folder.path,
    env: settings,
    errors,
    addAccount: (options) => addAccount({ ...connection, ...parts }, origin, options),
    halt: () => running.stop(),
    async stop() {
      await running.stop();
      await taken.drop();
      await folder.remove();
    },
  };
}

async function addAccount(
  gateway: Pick<TestGateway, 'database' | 'clock' | 'random' | 'pepper'>,
  origin: string,
  options: AccountOptions = {},
): Promise<TestAccount> {
  const { database, clock, random, pepper } = gateway;
  const deps = { database, clock, random, passwords: quickPasswords };
  const { id: accountId } = await createAccount(deps, {
    email: options.email ?? `${randomUUID()}@example.com`,
    password: randomUUID(),
    isVerified: true,
    staffRole: null,
    group: options.group ?? null,
  });
  const amountCredits = options.credits ?? 1000;
  if (amountCredits > 0) {
    const grant = { accountId, amountCredits, kind: 'purchased' as const };
    await grantCredits(deps, { ...grant, expiresAt: null, reason: null });
  }
  await setAccountLimits(
    { database, defaultLimits },
    { accountId, limits: { ...plenty, ...options.limits } },
  );
  const { keyId, apiKey } = await createKey(
    { ...deps, pepper },
    { accountId, name: 'test', hosts: options.hosts ?? [], models: options.models ?? [] },
  );
  return { accountId, keyId, apiKey, ...requests(origin, apiKey) };
}

/** Requests with one key. */
export function requests(
  origin: string,
  apiKey: string,
): Pick<TestAccount, 'get' | 'post' | 'untilEnded'> {
  const send = async (path: string, init: RequestInit): Promise<ApiResponse> => {
    const response = await fetch(origin + path, init);
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    const json = (isJson ? JSON.parse(text) : {}) as Record<string, unknown>;
    return { status: response.status, headers: response.headers, text, json };
  };
  const authorization = `Bearer ${apiKey}`;
  const get: TestAccount['get'] = (path, headers) =>
    send(path, { headers: { authorization, ...headers } });
  return {
    get,
    post(path, body, headers = {}) {
      const all: Record<string, string | undefined> = {
        authorization,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
        ...headers,
      };
      const given = Object.entries(all).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      );
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      return send(path, { method: 'POST', headers: Object.fromEntries(given), body: text });
    },
    async untilEnded(generationId) {
      let record: Record<string, unknown> = {};
      const hasEnded = async () => {
        const { status, json, text, headers } = await get(`/v1/generations/${generationId}`);
        // On a busy machine a poll may be told to retry, as every client does.
        if (status === 503 && headers.has('retry-after')) return false;
        if (status !== 200) throw new Error(`polling answered ${status}: ${text}`);
        record = json;
        return json['status'] === 'completed' || json['status'] === 'failed';
      };
      // The test's own limit is shorter.
      await until(hasEnded, `${generationId} has ended`, 900_000);
      return record;
    },
  };
}
