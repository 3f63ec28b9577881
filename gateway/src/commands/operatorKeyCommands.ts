import { hourMs } from '@framegate/contract';
import { isUsable, type OperatorKey } from '../domain/accounts/operatorKey.ts';
import { isoTimeOrNull } from '../domain/time/isoTime.ts';
import type { Command } from './command.ts';

/** Maximum keys listed, more than an installation has. */
const maxListed = 1_000;
/** Longest overlap of a key with its successor, in hours. */
const maxOverlapHours = 24 * 30;

/** Commands for keys of the operator API. */
export const operatorKeyCommands: Readonly<Record<string, Command>> = {
  'operator-key create': {
    usage:
      '--name N --scope S ... [--address A ...] [--expires ISO] [--replaces K [--overlap-hours H]]',
    summary:
      'Creates an operator API key, shown once. --address limits the IP addresses; --replaces expires an old key (after 24 hours by default). Scopes: docs/operator-api.md.',
    flags: {
      name: 'text',
      scope: 'texts',
      address: 'texts',
      expires: 'text',
      replaces: 'text',
      'overlap-hours': 'text',
    },
    noted: 'around it',
    prepare(flags) {
      const command = {
        name: flags.text('name'),
        scopes: flags.texts('scope'),
        addresses: flags.texts('address'),
        expiresAt: flags.time('expires') ?? null,
      };
      const former = flags.textOrNull('replaces');
      const overlapHours = flags.wholeNumber('overlap-hours', 0, maxOverlapHours) ?? 24;
      return async (deps) => {
        const { createOperatorKey, endOperatorKey } =
          await import('../application/operator/operatorKeys.ts');
        const parts = { ...deps, pepper: deps.pepper() };
        // First, so that no key is created if the key to replace does not exist.
        const ended = former && (await endOperatorKey(deps, former, overlapHours * hourMs));
        const { stored, operatorKey } = await createOperatorKey(parts, command);
        return {
          ...printedKey(stored, deps.clock.now()),
          operator_key: operatorKey,
          ...(ended && { replaces: printedKey(ended, deps.clock.now()) }),
        };
      };
    },
  },
  'operator-key list': {
    usage: '',
    summary: 'Lists operator API keys, newest first.',
    flags: {},
    isReadOnly: true,
    prepare: () => async (deps) => {
      const keys = await deps.operatorKeys.list(maxListed);
      return { operator_keys: keys.map((key) => printedKey(key, deps.clock.now())) };
    },
  },
  'operator-key revoke': {
    usage: '--key K',
    summary: 'Revokes an operator API key immediately.',
    flags: { key: 'text' },
    noted: 'around it',
    prepare(flags) {
      const keyId = flags.text('key');
      return async (deps) => {
        const { endOperatorKey } = await import('../application/operator/operatorKeys.ts');
        const key = await endOperatorKey(deps, keyId);
        return printedKey(key, deps.clock.now());
      };
    },
  },
};

function printedKey(key: OperatorKey, nowMs: number): Record<string, unknown> {
  return {
    operator_key_id: key.id,
    name: key.name,
    starts: key.prefix,
    ends: key.lastFour,
    works: isUsable(key, nowMs),
    scopes: key.scopes,
    addresses: key.addresses,
    created_at: isoTimeOrNull(key.createdAt),
    expires_at: isoTimeOrNull(key.expiresAt),
    revoked_at: isoTimeOrNull(key.revokedAt),
  };
}
