import type { SignInLinkResponse } from '@framegate/contract/operator';
import { firstSecret } from '../../domain/accounts/apiKey.ts';
import { Refusal } from '../../domain/refusal.ts';
import { hashLinkToken, linkToken, signInLinkMs } from '../../domain/signIn/signInLink.ts';
import { isoTime } from '../../domain/time/isoTime.ts';
import type { App } from '../app.ts';
import { requireCustomer } from './accounts.ts';
import { operatorEntry, recordOnce } from './auditEntries.ts';
import type { OperatorUseCases, OperatorWriteCall } from './operatorCall.ts';
import { writeOnce } from './writeOnce.ts';

export const signInLinkUseCases = {
  /**
   * Makes a link that signs a customer in to the site. The stored response omits the URL, which can be rebuilt from
   * the id while the link works; a request whose response was lost can thus be repeated.
   */
  async createSignInLink(
    deps,
    { call, params: { account_id: accountId }, body: { return_to: path, reason } },
  ) {
    const returnTo = path ?? null;
    const { status, isVerified } = await requireCustomer(deps, accountId);
    const response = await writeOnce(deps, call, {
      status: 201,
      reason,
      present: () => null,
      async run(_database, record) {
        // Both are checked again when the link is used.
        if (status !== 'active') throw new Refusal('account_suspended');
        if (!isVerified) throw new Refusal('email_not_verified');
        const publicId = deps.random.newId('sil');
        const id = hashLinkToken(linkToken(publicId, firstSecret(deps.sessionKeys)));
        const expiresAt = deps.clock.now() + signInLinkMs;
        const storedResponse: SignInLinkResponse = {
          id: publicId,
          object: 'sign_in_link',
          account_id: accountId,
          url: null,
          return_to: returnTo,
          expires_at: isoTime(expiresAt),
        };
        const link = { id, accountId, returnTo, expiresAt, usedAt: null };
        await deps.signInLinks.insert(link, record(accountId, storedResponse));
      },
    });
    const parsedResponse = JSON.parse(response.body) as SignInLinkResponse;
    const url = await findUrl(deps, parsedResponse.id);
    if (response.wasReplayed && url !== null) await recordReplay(deps, call, parsedResponse);
    return { ...response, body: JSON.stringify({ ...parsedResponse, url }) };
  },
} satisfies Partial<OperatorUseCases>;

/** A repeated request gets the same working link, which is noted once for each link and caller's address. */
async function recordReplay(
  deps: App,
  call: OperatorWriteCall,
  { id, account_id: accountId }: SignInLinkResponse,
): Promise<void> {
  const about = { targets: [accountId, id], result: 'The same link was handed out again.' };
  const formId = `again ${id} ${call.address}`;
  await recordOnce(deps, { ...operatorEntry(deps, call, about), formId });
}

/** The URL of a usable link; null for any other. */
async function findUrl(
  { sessionKeys, accountUrl, signInLinks }: Pick<App, 'sessionKeys' | 'accountUrl' | 'signInLinks'>,
  publicId: string,
) {
  // The keys may have been rotated since it was made.
  for (const secret of sessionKeys) {
    const token = linkToken(publicId, secret);
    if (await signInLinks.find(hashLinkToken(token))) {
      return `${accountUrl}/sign-in/link?token=${token}`;
    }
  }
  return null;
}
