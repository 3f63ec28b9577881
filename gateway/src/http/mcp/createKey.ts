import { createHash } from 'node:crypto';
import { canonicalJson } from '../../domain/idempotency.ts';
import { invalidRequest, Refusal } from '../../domain/refusal.ts';

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
