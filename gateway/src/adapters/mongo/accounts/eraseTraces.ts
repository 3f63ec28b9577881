import { erasedResponse } from '../../../domain/accounts/erasedResponse.ts';
import type { ErasedPerson, ErasedTraces } from '../../../domain/accounts/erasure.ts';
import { type Collections, shortReadMs } from '../collections.ts';
import { erasePersonInLogs } from './teamLogStore.ts';

/** Responses per page. */
const responsesPerPage = 200;

/**
 * Removes personal data from the operator API's stored responses about an erased account, or about a team if they name
 * the person's address.
 * @returns The number of changed responses.
 */
async function eraseResponses(
  operatorRequests: Collections['operatorRequests'],
  { aboutId, erasedId, email }: { aboutId: string; erasedId: string; email: string },
): Promise<number> {
  let count = 0;
  for (let after = ''; ;) {
    const page = await operatorRequests
      .find(
        { accountId: aboutId, _id: { $gt: after } },
        { sort: { accountId: 1, _id: 1 }, limit: responsesPerPage, maxTimeMS: shortReadMs },
      )
      .toArray();
    for (const { _id, body } of page) {
      if (aboutId !== erasedId && !body.includes(email)) continue;
      await operatorRequests.updateOne({ _id }, { $set: { body: erasedResponse(body, erasedId) } });
      count += 1;
    }
    const last = page.at(-1);
    if (last === undefined || page.length < responsesPerPage) return count;
    after = last._id;
  }
}

/** Removes an erased person's traces from all collections but accounts, generations and uploads. Safe to repeat. */
export async function eraseTraces(
  collections: Collections,
  accountId: string,
  { email, teams, keyIds }: ErasedPerson,
): Promise<ErasedTraces[]> {
  const { confirmations, mails, invitations, formerKeys, keyUses, notices } = collections;
  const countRemoved = async (
    kind: ErasedTraces['kind'],
    deletion: Promise<{ deletedCount: number }>,
  ) => ({
    kind,
    count: (await deletion).deletedCount,
  });
  const records = await collections.realPersonAudit.updateMany(
    { accountId },
    // The record of who vouched for a likeness is kept for its period, without the IP address.
    { $set: { callerAddress: '' } },
  );
  let responses = 0;
  for (const aboutId of [accountId, ...teams]) {
    const about = { aboutId, erasedId: accountId, email };
    responses += await eraseResponses(collections.operatorRequests, about);
  }
  return [
    // Codes sent to the address before it had an account, such as those of invitations.
    await countRemoved('mailed codes', confirmations.deleteMany({ email })),
    await countRemoved('mails', mails.deleteMany({ to: email })),
    await countRemoved('sign-up invitations', invitations.deleteMany({ _id: email })),
    await countRemoved('collections', collections.generationCollections.deleteMany({ accountId })),
    {
      kind: 'log of the team',
      count: await erasePersonInLogs(collections, { accountId, email }),
    },
    await countRemoved('mail choices', notices.deleteMany({ _id: accountId })),
    await countRemoved('former keys', formerKeys.deleteMany({ accountId })),
    await countRemoved('uses of keys', keyUses.deleteMany({ _id: { $in: [...keyIds] } })),
    { kind: 'stored responses', count: responses },
    { kind: 'addresses of real-person records', count: records.modifiedCount },
  ];
}
