import { createHash } from 'node:crypto';
import type { ErrorCode, GenerationRecord } from '@framegate/contract';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Allowances } from '../../application/allowances.ts';
import type { Caller } from '../../application/authenticate.ts';
import type { CostEstimate } from '../../application/generations/reads.ts';
import type { MediaStore } from '../../application/ports/media.ts';
import type { Log } from '../../application/ports/system.ts';
import { canonicalJson } from '../../domain/idempotency.ts';
import { invalidRequest, Refusal } from '../../domain/refusal.ts';
import { logError, refusalFor } from '../answerErrors.ts';
import { takeRead, type UseCases } from '../v1/routes.ts';
import { generationResult, objectResult, refusalResult } from './results.ts';
import { maxWaitSeconds } from './tools.ts';
import type { createWaits, Wait } from './waits.ts';

/** What the tools work with: the same use cases as the API. */
export interface ToolDeps {
  useCases: UseCases;
  estimateCost: (caller: Caller, body: object) => CostEstimate;
  allowances: Allowances;
  wait: ReturnType<typeof createWaits>;
  /** Where finished files are. */
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
  /** Aborted when the caller has gone. */
  gone: AbortSignal;
  /** Tells the caller how a wait stands. */
  tell: Wait['tell'];
  /** Told of the code of a refusal, for the access log. */
  noteRefusal: (code: ErrorCode) => void;
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
    return objectResult(deps.estimateCost(call.caller, call.args));
  },

  create_video: (deps, call) => create(deps, call, '/v1/videos'),

  create_image: (deps, call) => create(deps, call, '/v1/images'),

  async get_generation(deps, call) {
    const { id, ...rest } = call.args;
    takeRead(deps.allowances, call.caller, 'status-reads');
    takeNothing({ args: rest });
    const record = await deps.useCases.getGeneration(call.caller, textOf(id));
    return generationResult(record, deps.store);
  },

  async wait_for_generation(deps, call) {
    const { id, timeout_seconds: seconds = maxWaitSeconds, ...rest } = call.args;
    const { caller, gone, tell } = call;
    takeRead(deps.allowances, caller, 'status-reads');
    takeNothing({ args: rest });
    const timeoutMs = secondsOf(seconds) * 1000;
    const generationId = textOf(id);
    const first = await deps.useCases.getGeneration(caller, generationId);
    const perMinute = caller.limits.statusReadsPerMinute;
    const { accountId } = caller;
    const read = async () =>
      deps.allowances.take(accountId, 'status-reads', perMinute) === null
        ? deps.useCases.getGeneration(caller, generationId)
        : null;
    const record = await deps.wait(first, { accountId, timeoutMs, gone, read, tell });
    return generationResult(record, deps.store);
  },

  async get_balance(deps, call) {
    takeRead(deps.allowances, call.caller, 'other-reads');
    takeNothing(call);
    return objectResult(await deps.useCases.getBalance(call.caller));
  },
};

/** Whether there is a tool of this name. */
export const isTool = (name: string): boolean => Object.hasOwn(tools, name);

/** Calls a tool. A refusal, and what is answered as one, is a result that the model can read. */
export async function callTool(deps: ToolDeps, call: ToolCall): Promise<CallToolResult> {
  try {
    const tool = tools[call.tool];
    if (!tool) throw new Error(`there is no tool ${call.tool}`);
    return await tool(deps, call);
  } catch (error) {
    return refused(deps, call, error);
  }
}

/** @param idempotencyKey Of a create: with it another call, too, is recognised as a repeat. */
function refused(
  deps: ToolDeps,
  { requestId, noteRefusal }: ToolCall,
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
  const { idempotency_key: given, ...body } = call.args;
  const { tool, session, rpcId, caller, requestId, callerAddress, maxCredits } = call;
  const idempotencyKey = createKey({ given, session, rpcId, tool, body });
  const command = { caller, path, idempotencyKey, body, requestId, callerAddress, maxCredits };
  try {
    const answer = await deps.useCases.createGeneration(command);
    return objectResult(
      JSON.parse(answer.body) as GenerationRecord,
      answer.replayed ? [{ type: 'text', text: repeated }] : [],
    );
  } catch (error) {
    return refused(deps, call, error, idempotencyKey);
  }
}

const repeated =
  'This repeats an earlier call: it is the same generation, and nothing was charged now.';

/** @throws Refusal for an argument that the tool does not have. */
function takeNothing({ args }: Pick<ToolCall, 'args'>): void {
  const [param] = Object.keys(args);
  if (param === undefined) return;
  const message = 'There is no such argument.';
  throw invalidRequest([{ param: param.slice(0, 200), code: 'unknown_field', message }]);
}

/** @throws Refusal when it is no text. */
function textOf(id: unknown): string {
  if (typeof id === 'string') return id;
  const code = id === undefined ? 'required' : 'invalid_type';
  throw invalidRequest([{ param: 'id', code, message: 'Must be the id of a generation.' }]);
}

/** @throws Refusal when it is none that the tool takes. */
function secondsOf(seconds: unknown): number {
  const isWhole = Number.isInteger(seconds);
  if (isWhole && Number(seconds) >= 1 && Number(seconds) <= maxWaitSeconds) return Number(seconds);
  const code = isWhole ? 'out_of_range' : 'invalid_type';
  const message = `Must be a whole number from 1 to ${maxWaitSeconds}.`;
  throw invalidRequest([{ param: 'timeout_seconds', code, message }]);
}

/** By what a repeat of a create is recognised. */
export interface CreateCall {
  /** The argument `idempotency_key`. */
  given: unknown;
  /** `Mcp-Session-Id`: one connection of one client. */
  session: string | undefined;
  /** Id of the JSON-RPC request, which a client never uses twice in a session. */
  rpcId: unknown;
  tool: string;
  body: object;
}

const visibleAscii = /^[\x21-\x7e]{1,255}$/;

/**
 * The Idempotency-Key of a create. The caller's own is the API's; without one, the same request of the same
 * session is a repeat, as when a reply was lost and the client or a proxy sends it again.
 * @throws Refusal `idempotency_key_missing` where there is neither: a repeat would be charged again.
 */
export function createKey({ given, session, rpcId, tool, body }: CreateCall): string {
  if (typeof given === 'string') return given;
  if (given !== undefined) {
    const message = 'Must be text of 1 to 255 visible ASCII characters.';
    throw invalidRequest([{ param: 'idempotency_key', code: 'invalid_type', message }]);
  }
  if (session === undefined || !visibleAscii.test(session)) {
    throw new Refusal('idempotency_key_missing', {
      message:
        'Give the argument idempotency_key: a new value for each generation that you want, and the same value when you repeat a call. This connection has no session by which a repeat could be recognised.',
    });
  }
  const call = canonicalJson([session, rpcId, tool, body]);
  return `mcp-${createHash('sha256').update(call).digest('base64url')}`;
}
