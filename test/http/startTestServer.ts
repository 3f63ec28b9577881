import { catalogue } from '@framegate/contract';
import { buildOpenApi } from '@framegate/contract/openapi';
import { createSlots } from '@framegate/limits';
import { describeError } from '../../gateway/src/adapters/system/log.ts';
import { createAllowances } from '../../gateway/src/application/allowances.ts';
import type { Caller } from '../../gateway/src/application/authenticate.ts';
import type { CreateCommand } from '../../gateway/src/application/generations/create/createGeneration.ts';
import { DatabaseUnavailableError } from '../../gateway/src/application/ports/database.ts';
import { workKinds } from '../../gateway/src/application/workKinds.ts';
import { defaultLimits } from '../../gateway/src/domain/accounts/limits.ts';
import { builtInBrand } from '../../gateway/src/domain/brand/brand.ts';
import { formatId } from '../../gateway/src/domain/ids.ts';
import { Refusal } from '../../gateway/src/domain/refusal.ts';
import { type AppDeps, createApp } from '../../gateway/src/http/app.ts';
import { type ServerTimes, startServer } from '../../gateway/src/http/server.ts';
import type { DocsFacts } from '../../gateway/src/http/site/docs/facts.ts';
import type { UseCases } from '../../gateway/src/http/v1/routes.ts';

export const goodKey = 'Bearer fg_live_good';

export const caller: Caller = {
  accountId: 'acct_01kagw2m5t9x3q7r8v4c6e0hjn',
  keyId: 'key_01kagw2m5t9x3q7r8v4c6e0hjn',
  models: null,
  group: null,
  limits: defaultLimits,
};

/** Documentation of a test's server. */
export const docsFacts: DocsFacts = {
  brand: builtInBrand,
  version: '1.4.0',
  clients: [],
  baseUrl: 'https://api.test/v1',
  siteUrl: 'https://www.test',
  models: catalogue,
  limits: defaultLimits,
  openHosts: ['*.open.example.com'],
  idempotencyKeptSeconds: 7 * 86_400,
  outputsKeptSeconds: 3 * 86_400,
  inputsKeptSeconds: 86_400,
  outputUrlSeconds: 86_400,
  waitingSeconds: { min: 3600, max: 21_600 },
  signupCredits: 250,
  signUp: 'open',
  hasAccounts: false,
  links: { credits: null, support: null },
  mcpUrl: null,
};

/** One line of the log. */
export interface LogLine {
  level: 'debug' | 'info' | 'warn' | 'error';
  message: string;
  fields: Record<string, unknown>;
}

/** A server over plain functions, with its log and the commands that it passed on. */
export interface TestServer {
  url: string;
  port: number;
  log: LogLine[];
  commands: CreateCommand[];
  clock: { nowMs: number };
  stop(graceMs?: number, pauseMs?: number): Promise<void>;
}

export interface TestServerOptions {
  useCases?: Partial<UseCases>;
  app?: Partial<AppDeps>;
  times?: Partial<ServerTimes>;
  host?: string;
  /** Any free one if absent. */
  port?: number;
}

/** Starts the HTTP layer on a free port of 127.0.0.1, with a clock that stands still. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const log: LogLine[] = [];
  const commands: CreateCommand[] = [];
  const clock = { nowMs: Date.UTC(2026, 0, 1), now: () => clock.nowMs };
  const write = (level: LogLine['level']) => (fields: object, message: string) => {
    // Errors as the log of the gateway shows them.
    const shown = 'error' in fields ? { error: describeError(fields.error) } : {};
    log.push({ level, message, fields: { ...fields, ...shown } });
  };
  let ids = 0;
  const random = {
    newId: (prefix: Parameters<AppDeps['random']['newId']>[0]) => {
      const bytes = new Uint8Array(10);
      new DataView(bytes.buffer).setUint32(6, (ids += 1));
      return formatId(prefix, clock.nowMs, bytes);
    },
  };
  const deps: AppDeps = {
    useCases: {
      authenticate: async (authorization) => {
        if (authorization !== goodKey) throw new Refusal('invalid_api_key');
        return caller;
      },
      createGeneration: async (command) => {
        commands.push(command);
        return {
          body: '{"id":"gen_1"}',
          headers: { Location: 'https://api.test/v1/generations/gen_1', 'Retry-After': '20' },
          wasReplayed: false,
        };
      },
      getGeneration: async () => {
        throw new Refusal('generation_not_found');
      },
      listModels: async () => ({ object: 'list', data: [] }),
      getBalance: async () => ({
        object: 'credit_balance',
        unit: 'credits',
        available: 930,
        in_flight: 70,
        as_of: '2026-01-01T00:00:00.000Z',
      }),
      ...options.useCases,
    },
    openApi: () => buildOpenApi({ baseUrl: docsFacts.baseUrl }),
    brand: builtInBrand,
    docs: () => docsFacts,
    media: null,
    account: null,
    mediaPath: '/media',
    basePath: '/v1',
    log: { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') },
    random,
    clock,
    allowances: createAllowances({ clock }),
    slots: createSlots(workKinds),
    isReady: () => true,
    version: '0.0.0',
    isDatabaseTrouble: (error) => error instanceof DatabaseUnavailableError,
    trustedProxies: { hops: 0 },
    ...options.app,
  };
  const server = await startServer({
    app: createApp(deps),
    host: options.host ?? '127.0.0.1',
    port: options.port ?? 0,
    log: deps.log,
    random,
    times: { lingerMs: 0, ...options.times },
  });
  const port = Number(new URL(server.url).port);
  return {
    url: server.url,
    port,
    log,
    commands,
    clock,
    stop: (graceMs = 1000, pauseMs = 0) => server.stop({ graceMs, pauseMs }),
  };
}
