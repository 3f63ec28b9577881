import { messageOf, type OperatorScope, operatorScopeNames } from '@framegate/contract';
import {
  formatApiKey,
  hashApiKey,
  isApiKey,
  operatorKeyPrefix,
  storedPartsOf,
  type VersionedSecret,
} from '../../domain/accounts/apiKey.ts';
import { isUsable, type OperatorKey } from '../../domain/accounts/operatorKey.ts';
import { createRangeMatcher, parseAddressRange } from '../../domain/network/addresses.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { App } from '../app.ts';
import { type GuessLimiter, refuseUnknown } from '../authenticate.ts';
import { requireFuture } from '../credits/grantCredits.ts';
import { requireName } from '../keys/keys.ts';
import type { OperatorKeyStore } from '../ports/operator.ts';
import type { Clock } from '../ports/system.ts';

/** A new key of the operator API. */
export interface CreateOperatorKeyCommand {
  name: string;
  scopes: readonly string[];
  /** Addresses and ranges from which it may be used; empty for any. */
  addresses: readonly string[];
  /** Expiry in ms since the epoch; null for never. */
  expiresAt: number | null;
}

const maxNameLength = 60;
const maxAddresses = 50;

/**
 * Creates a key of the operator API.
 * @returns The stored key, and its secret, which is stored nowhere.
 * @throws Refusal for an invalid name, scope, address or expiry.
 */
export async function createOperatorKey(
  deps: Pick<App, 'operatorKeys' | 'clock' | 'random' | 'pepper'>,
  command: CreateOperatorKeyCommand,
): Promise<{ stored: OperatorKey; operatorKey: string }> {
  const nowMs = deps.clock.now();
  const name = requireName(command.name, maxNameLength);
  requireFuture(command.expiresAt, nowMs);
  const operatorKey = formatApiKey(deps.random.bytes(64), operatorKeyPrefix);
  const key: OperatorKey = {
    id: deps.random.newId('opk'),
    name,
    ...storedPartsOf(operatorKey, deps.pepper, operatorKeyPrefix),
    scopes: requireScopes(command.scopes),
    addresses: requireAddresses(command.addresses),
    createdAt: nowMs,
    expiresAt: command.expiresAt,
    revokedAt: null,
  };
  await deps.operatorKeys.insert(key);
  return { stored: key, operatorKey };
}

function requireScopes(names: readonly string[]): OperatorScope[] {
  const unknown = names.filter((name) => !operatorScopeNames.includes(name as OperatorScope));
  const scopeNames = operatorScopeNames.join(', ');
  if (unknown.length > 0) {
    throw new Refusal('scope_invalid', {
      values: { unknown: unknown.join(', '), known: scopeNames },
    });
  }
  if (names.length === 0) throw new Refusal('scope_missing', { values: { known: scopeNames } });
  return operatorScopeNames.filter((name) => names.includes(name));
}

function requireAddresses(texts: readonly string[]): string[] {
  if (texts.length > maxAddresses) {
    throw new Refusal('addresses_too_many', { values: { max: maxAddresses } });
  }
  return texts.map((text) => {
    try {
      const range = parseAddressRange(text);
      createRangeMatcher([range]);
      return range;
    } catch (error) {
      const problem = messageOf(error);
      throw new Refusal('address_range_invalid', { values: { problem } });
    }
  });
}

/**
 * Ends a key of the operator API, immediately or after `inMs`, which leaves time to deploy its successor.
 * @returns The stored key; an earlier end is kept.
 * @throws Refusal `operator_key_not_found`.
 */
export async function endOperatorKey(
  { operatorKeys, clock }: Pick<App, 'operatorKeys' | 'clock'>,
  keyId: string,
  inMs = 0,
): Promise<OperatorKey> {
  const key = await operatorKeys.end(keyId, clock.now() + inMs);
  if (key === null) throw new Refusal('operator_key_not_found');
  return key;
}

/**
 * Finds the key of an Authorization header. Looked up for each request, so that revocation takes effect immediately.
 * @throws Refusal `invalid_api_key`; `rate_limited` for an address that has presented many unknown keys.
 */
export type AuthenticateOperator = (
  authorization: string | undefined,
  address: string,
) => Promise<OperatorKey>;

/** Creates `authenticateOperator`. */
export function createAuthenticateOperator(deps: {
  operatorKeys: Pick<OperatorKeyStore, 'findByHash'>;
  clock: Pick<Clock, 'now'>;
  keyPeppers: readonly VersionedSecret[];
  guesses: GuessLimiter;
}): AuthenticateOperator {
  return async (authorization, address) => {
    const text = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? '';
    if (!isApiKey(text, operatorKeyPrefix)) throw new Refusal('invalid_api_key');
    const hashes = deps.keyPeppers.map((pepper) => hashApiKey(text, pepper));
    const key = await deps.operatorKeys.findByHash(hashes);
    if (key && isUsable(key, deps.clock.now())) return key;
    return refuseUnknown(deps.guesses, address, hashes[0] ?? '');
  };
}
