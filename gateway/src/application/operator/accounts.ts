import { pageLimits } from '@framegate/contract/operator';
import type { Account } from '../../domain/accounts/account.ts';
import { limitRules, type Limits } from '../../domain/accounts/limits.ts';
import { parseCursor } from '../../domain/feed/cursor.ts';
import { invalidFieldRefusal, Refusal } from '../../domain/refusal.ts';
import { normaliseEmail } from '../../domain/signIn/email.ts';
import { setAccountGroup, setAccountLimits, setAccountStatus } from '../accounts/accounts.ts';
import { createAccount } from '../accounts/createAccount.ts';
import type { App } from '../app.ts';
import type { OperatorInput, OperatorResponse, OperatorUseCases } from './operatorCall.ts';
import { presentAccount, presentPage } from './present.ts';
import { type OperatorWrite, writeOnce } from './writeOnce.ts';

/** A customer's account; staff accounts are not part of the operator API. @throws Refusal `account_not_found`. */
export async function requireCustomer(
  { database }: Pick<App, 'database'>,
  accountId: string,
): Promise<Account> {
  const account = await database.accounts.find(accountId);
  if (account === null || account.staffRole !== null) throw new Refusal('account_not_found');
  return account;
}

export const accountUseCases = {
  /** Creates a customer's account. @throws Refusal */
  async createAccount(deps, { call, body }) {
    const email = requireEmail(body.email);
    const group = requireGroup(deps, body.group ?? null);
    return writeOnce(deps, call, {
      ...presentAfterWrite(deps, 201),
      run: (database) =>
        createAccount(
          { ...deps, database },
          {
            email,
            isVerified: body.email_verified ?? false,
            externalId: body.external_id ?? null,
            group,
            password: null,
            staffRole: null,
          },
        ),
    });
  },

  suspendAccount: (deps, input) => setStatus(deps, input, 'suspended'),
  resumeAccount: (deps, input) => setStatus(deps, input, 'active'),

  /** Moves an account to a group. */
  async changeGroup(
    deps,
    { call, params: { account_id: accountId }, body: { group: name, reason } },
  ) {
    await requireCustomer(deps, accountId);
    const group = requireGroup(deps, name);
    return writeOnce(deps, call, {
      ...presentAfterWrite(deps, 200),
      reason,
      run: (database) => setAccountGroup({ database }, { accountId, group }),
    });
  },

  /** Sets the named limits of an account and keeps the others. */
  async changeLimits(deps, { call, params: { account_id: accountId }, body: stated }) {
    await requireCustomer(deps, accountId);
    const limits: Partial<Limits> = {};
    for (const { limit, name } of limitRules) {
      const value = stated[name];
      if (value !== undefined) limits[limit] = value;
    }
    return writeOnce(deps, call, {
      ...presentAfterWrite(deps, 200),
      run: (database) => setAccountLimits({ ...deps, database }, { accountId, limits }),
    });
  },

  /** Reads an account. @throws Refusal `account_not_found`. */
  async getAccount(deps, { params: { account_id: accountId } }) {
    return presentAccount(await requireCustomer(deps, accountId), deps.defaultLimits);
  },

  /** Lists accounts, or finds one by external id or address. @throws Refusal `cursor_invalid`. */
  async listAccounts(
    deps,
    { query: { external_id: externalId, email, after, limit = pageLimits.usual } },
  ) {
    const begin = after === undefined ? '' : parseCursor('accounts', after);
    const { accounts } = deps.database;
    const isSearch = externalId !== undefined || email !== undefined;
    const matches = isSearch
      ? await findCustomers(accounts, externalId, email)
      : await deps.accountList.listPage(begin, limit + 1);
    return presentPage(matches, {
      list: 'accounts',
      limit,
      begin: null,
      cursorValueOf: ({ id }) => id,
      present: (account) => presentAccount(account, deps.defaultLimits),
    });
  },
} satisfies Partial<OperatorUseCases>;

/** The normalized address. @throws Refusal `invalid_request`. */
export function requireEmail(text: string): string {
  const email = normaliseEmail(text);
  if (email !== null) return email;
  const message = 'Must be an email address.';
  throw invalidFieldRefusal('email', 'invalid_value', message);
}

async function setStatus(
  deps: App,
  {
    call,
    params: { account_id: accountId },
    body: { reason },
  }: OperatorInput<'suspendAccount' | 'resumeAccount'>,
  status: Account['status'],
): Promise<OperatorResponse> {
  await requireCustomer(deps, accountId);
  return writeOnce(deps, call, {
    ...presentAfterWrite(deps, 200),
    reason,
    run: (database) => setAccountStatus({ database }, { accountId, status }),
  });
}

/** @throws Refusal `invalid_request` for a group that neither file names. */
function requireGroup({ offer }: Pick<App, 'offer'>, group: string | null): string | null {
  const groups = offer.groups();
  if (group === null || groups.includes(group)) return group;
  const groupsText = groups.length === 0 ? 'they name none' : `they name ${groups.join(', ')}`;
  const message = `Neither MODELS_FILE nor ROUTES_FILE names this group; ${groupsText}.`;
  throw invalidFieldRefusal('group', 'invalid_value', message);
}

/** Answers with the account after the write. */
export const presentAfterWrite = (
  { defaultLimits }: App,
  status: number,
): Pick<OperatorWrite, 'status' | 'present'> => ({
  status,
  present: ({ after }) => presentAccount(after, defaultLimits),
});

async function findCustomers(
  accounts: App['database']['accounts'],
  externalId: string | undefined,
  email: string | undefined,
): Promise<Account[]> {
  const normalised = email === undefined ? undefined : (normaliseEmail(email) ?? '');
  const lookup =
    externalId === undefined
      ? await accounts.findByEmail(normalised ?? '')
      : await accounts.findByExternalId(externalId);
  const isWanted =
    lookup?.staffRole === null && (normalised === undefined || lookup.email === normalised);
  return lookup && isWanted ? [lookup] : [];
}
