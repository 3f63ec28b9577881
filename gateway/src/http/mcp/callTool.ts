import { createHash } from 'node:crypto';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { GenerationRecord, Log } from '@framegate/contract';
import type { MediaStore } from '@framegate/media';
import type { Allowances } from '../../application/allowances.ts';
import type { Caller } from '../../application/authenticate.ts';
import type { CostEstimate } from '../../application/generations/reads.ts';
import { canonicalJson } from '../../domain/generations/idempotency.ts';
import { invalidFieldRefusal, Refusal } from '../../domain/refusal.ts';
import type { RefusalCode } from '../../domain/refusalCodes.ts';
import { logError, refusalFor } from '../respondToErrors.ts';
import { takeRead, type UseCases } from '../v1/routes.ts';
import { makeGenerationResult, objectResult, refusalResult } from './results.ts';
import { maxWaitSeconds } from './tools.ts';
import type { createWaits, WaitingCall } from './waits.ts';

/** Dependencies of the tools: the use cases of the API. */
export interface ToolDeps {
  useCases: UseCases;
  estimateCost: (caller: Caller, body: object) => Promise<CostEstimate>;
  allowances: Allowances;
  wait: ReturnType<typeof createWaits>;
  /** Store of finished files. */
  store: Pick<MediaStore, 'open'>;
  log: Log;
  isDatabaseTrouble: (error: unknown) => boolean;
}

/** One call of a tool. */
export interface ToolCall {
  tool: string;
  args: Record<string, unknown>;
  /** Id of the JSON-RPC request. */
  rpcId: unknown;
  caller: Caller;
  callerAddress: string;
  requestId: string;
  /** `Mcp-Session-Id` of the request. */
  session: string | undefined;
  /** `Framegate-Max-Credits` of the request. */
  maxCredits: number | undefined;
  /** Aborted when the client disconnects. */
  disconnectSignal: AbortSignal;
  /** Takes a slot for waits in exchange for the one of the call. */
  beginWait: WaitingCall['beginWait'];
  /** Reports the progress of a wait. */
  report: WaitingCall['report'];
  /** Receives the code of a refusal, for the access log. */
  recordRefusal: (code: RefusalCode) => void;
}

type Tool = (deps: ToolDeps, call: ToolCall) => Promise<CallToolResult>;

const tools: Readonly<Record<string, Tool>> = {
  async list_models(deps, call) {
    takeRead(deps.allowances, call.caller, 'other-reads');
    takeNothing(call);
    return objectResult(await deps.useCases.listModels(call.caller));
  },

  async estimate_cost(deps, call) {
    takeRead(deps.allowances, call.caller, 'other-reads');
    return objectResult(await deps.estimateCost(call.caller, call.args));
  },

  create_video: (deps, call) => create(deps, call, '/v1/videos'),

  create_image: (deps, call) => create(deps, call, '/v1/images'),

  async get_generation(deps, call) {
    const { id, ...rest } = call.args;
    takeRead(deps.allowances, call.caller, 'status-reads');
    takeNothing({ args: rest });
    const record = await deps.useCases.getGeneration(call.caller, requireIdText(id));
    return makeGenerationResult(record, deps.store);
  },

  async wait_for_generation(deps, call) {
    const { id, timeout_seconds: seconds = maxWaitSeconds, ...rest } = call.args;
    const { caller, disconnectSignal, beginWait, report } = call;
    takeRead(deps.allowances, caller, 'status-reads');
    takeNothing({ args: rest });
    const timeoutMs = secondsOf(seconds) * 1000;
    const generationId = requireIdText(id);
    const first = await deps.useCases.getGeneration(caller, generationId);
    const perMinute = caller.limits.statusReadsPerMinute;
    const { accountId } = caller;
    const read = async () =>
      deps.allowances.take(accountId, 'status-reads', perMinute) === null
        ? deps.useCases.getGeneration(caller, generationId)
        : null;
    const record = await deps.wait(first, { beginWait, timeoutMs, disconnectSignal, read, report });
    return makeGenerationResult(record, deps.store);
  },

  async get_balance(deps, call) {
    takeRead(deps.allowances, call.caller, 'other-reads');
    takeNothing(call);
    return objectResult(await deps.useCases.getBalance(call.caller));
  },
};

/** True for the name of an existing tool. */
export const isTool = (name: string): boolean => Object.hasOwn(tools, name);

/** Calls a tool. Every error becomes a result that the model can read. */
export async function callTool(deps: ToolDeps, call: ToolCall): Promise<CallToolResult> {
  try {
    const tool = tools[call.tool];
    if (!tool) throw new Error(`there is no tool ${call.tool}`);
    return await tool(deps, call);
  } catch (error) {
    return refusedCallResult(deps, call, error);
  }
}

/** @param idempotencyKey Key of a create request, which the model can use to repeat it. */
function refusedCallResult(
  deps: ToolDeps,
  { requestId, recordRefusal: noteRefusal }: ToolCall,
  error: unknown,
  idempotencyKey?: string,
): CallToolResult {
  logError(error, requestId, deps);
  const refusal = refusalFor(error, deps.isDatabaseTrouble);
  noteRefusal(refusal.code);
  return refusalResult(refusal, requestId, idempotencyKey);
}

async function create(
  deps: ToolDeps,
  call: ToolCall,
  path: '/v1/videos' | '/v1/images',
): Promise<CallToolResult> {
  const { idempotency_key: key, ...body } = call.args;
  const { tool, session, rpcId, caller, requestId, callerAddress, maxCredits } = call;
  const idempotencyKey = idempotencyKeyFor({ given: key, session, rpcId, tool, body });
  const command = { caller, path, idempotencyKey, body, requestId, callerAddress, maxCredits };
  try {
    const response = await deps.useCases.createGeneration(command);
    return objectResult(
      JSON.parse(response.body) as GenerationRecord,
      response.wasReplayed ? [{ type: 'text', text: repeated }] : [],
    );
  } catch (error) {
    return refusedCallResult(deps, call, error, idempotencyKey);
  }
}

const repeated =
  'This repeats an earlier call: it returns the same generation, and nothing was charged.';

/** @throws Refusal for an unknown argument. */
function takeNothing({ args }: Pick<ToolCall, 'args'>): void {
  const [param] = Object.keys(args);
  if (param === undefined) return;
  const message = 'Unknown argument.';
  throw invalidFieldRefusal(param.slice(0, 200), 'unknown_field', message);
}

/** @throws Refusal unless the id is a string. */
function requireIdText(id: unknown): string {
  if (typeof id === 'string') return id;
  const code = id === undefined ? 'required' : 'invalid_type';
  throw invalidFieldRefusal('id', code, 'Must be the ID of a generation.');
}

/** @throws Refusal unless it is a whole number within the limit. */
function secondsOf(seconds: unknown): number {
  const isWhole = Number.isInteger(seconds);
  if (isWhole && Number(seconds) >= 1 && Number(seconds) <= maxWaitSeconds) return Number(seconds);
  const code = isWhole ? 'out_of_range' : 'invalid_type';
  const message = `Must be a whole number from 1 to ${maxWaitSeconds}.`;
  throw invalidFieldRefusal('timeout_seconds', code, message);
}

/** Properties that identify a repeated create request. */
export interface CreateCall {
  /** The argument `idempotency_key`. */
  given: unknown;
  /** `Mcp-Session-Id`: one connection of one client. */
  session: string | undefined;
  /** Id of the JSON-RPC request, unique within a session. */
  rpcId: unknown;
  tool: string;
  body: object;
}

const visibleAscii = /^[\x21-\x7e]{1,255}$/;

/**
 * Idempotency-Key of a create request: the caller's own or one derived from session and request, so that a client or
 * proxy can resend a request after a lost response.
 * @throws Refusal `idempotency_key_missing` without key and session, because a repeat would be charged again.
 */
export function idempotencyKeyFor({ given: key, session, rpcId, tool, body }: CreateCall): string {
  if (typeof key === 'string') return key;
  if (key !== undefined) {
    const message = 'Must be text of 1 to 255 visible ASCII characters.';
    throw invalidFieldRefusal('idempotency_key', 'invalid_type', message);
  }
  if (session === undefined || !visibleAscii.test(session)) {
    throw new Refusal('idempotency_key_missing', {
      message:
        'Pass the argument idempotency_key: a new value for each new generation, and the same value when you repeat a call. This connection has no session, so repeated calls cannot be recognised without it.',
    });
  }
  const call = canonicalJson([session, rpcId, tool, body]);
  return `mcp-${createHash('sha256').update(call).digest('base64url')}`;
}
