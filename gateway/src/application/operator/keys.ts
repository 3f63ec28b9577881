import { dayMs } from '@framegate/contract';
import type { OperatorApiKey } from '@framegate/contract/operator';
import type { Account } from '../../domain/accounts/account.ts';
import type { ApiKey } from '../../domain/accounts/apiKey.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { App } from '../app.ts';
import { approveHost, type CreatedKey, createKey, revokeKey, rotateKey } from '../keys/keys.ts';
import { presentKey } from '../keys/presentKey.ts';
import type { Database } from '../ports/database.ts';
import { requireCustomer } from './accounts.ts';
import type { OperatorResponse, OperatorUseCases, OperatorWriteCall } from './operatorCall.ts';
import { writeOnce } from './writeOnce.ts';

export const keyUseCases = {
  /** Creates an API key for a customer; only this response contains the secret. */
  async createKey(deps, { call, params: { account_id: accountId }, body }) {
    await requireCustomer(deps, accountId);
    return writeNewKey(deps, call, (database) =>
      createKey(
        { ...deps, database },
        {
          accountId,
          name: body.name,
          hosts: body.hosts ?? [],
          models: body.models ?? [],
          dailyCredits: body.daily_credits,
          monthlyCredits: body.monthly_credits,
        },
      ),
    );
  },

  /** Replaces an API key; the old one keeps working during the overlap. */
  async rotateKey(
    deps,
    {
      call,
      params: { account_id: accountId, key_id: keyId },
      body: { overlap_seconds: overlapSeconds, reason },
    },
  ) {
    await requireKey(deps, accountId, keyId);
    const overlapMs = overlapSeconds === undefined ? dayMs : overlapSeconds * 1000;
    return writeNewKey(
      deps,
      call,
      (database) => rotateKey({ ...deps, database }, { accountId, keyId, overlapMs }),
      reason,
    );
  },

  /** Revokes an API key permanently. */
  async revokeKey(
    deps,
    { call, params: { account_id: accountId, key_id: keyId }, body: { reason } },
  ) {
    await requireKey(deps, accountId, keyId);
    return writeOnce(deps, call, {
      ...presentKeyAfterWrite(deps, keyId, reason),
      run: (database) => revokeKey({ ...deps, database }, keyId),
    });
  },

  /** Approves an input host for an API key. */
  async approveHost(
    deps,
    { call, params: { account_id: accountId, key_id: keyId }, body: { host, reason } },
  ) {
    await requireKey(deps, accountId, keyId);
    return writeOnce(deps, call, {
      ...presentKeyAfterWrite(deps, keyId, reason),
      run: (database) => approveHost({ ...deps, database }, { keyId, host }),
    });
  },

  /** The API keys of an account, including revoked ones that are still listed. @throws Refusal `account_not_found`. */
  async listKeys(deps, { params: { account_id: accountId } }) {
    const account = await requireCustomer(deps, accountId);
    const data = account.keys.map((key) => presentApiKey(account, key, deps.clock.now()));
    return { object: 'list', data, has_more: false, next: null };
  },
} satisfies Partial<OperatorUseCases>;

function writeNewKey(
  deps: App,
  call: OperatorWriteCall,
  make: (database: Database) => Promise<CreatedKey>,
  reason?: string,
): Promise<OperatorResponse> {
  let apiKey = '';
  return writeOnce(deps, call, {
    status: 201,
    reason,
    present: ({ after }) => presentApiKey(after, after.keys.at(-1), deps.clock.now()),
    async run(database) {
      ({ apiKey } = await make(database));
    },
    once: () => ({ api_key: apiKey }),
  });
}

const presentKeyAfterWrite = ({ clock }: App, keyId: string, reason: string | undefined) => ({
  status: 200,
  reason,
  present: ({ after }: { after: Account }) =>
    presentApiKey(
      after,
      after.keys.find(({ id }) => id === keyId),
      clock.now(),
    ),
});

/** @throws Refusal `account_not_found`, `key_not_found`. */
async function requireKey(deps: App, accountId: string, keyId: string): Promise<void> {
  const { keys } = await requireCustomer(deps, accountId);
  if (!keys.some(({ id }) => id === keyId)) throw new Refusal('key_not_found');
}

function presentApiKey(account: Account, key: ApiKey | undefined, nowMs: number): OperatorApiKey {
  if (!key) throw new Error('the changed key is not in its account');
  return {
    id: key.id,
    object: 'api_key',
    account_id: account.id,
    ...presentKey(key, nowMs),
    replaced_by: key.replacedBy ?? null,
  };
}
