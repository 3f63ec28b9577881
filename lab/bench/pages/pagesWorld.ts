import { randomUUID } from 'node:crypto';
import { argon2Passwords } from '../../../gateway/src/adapters/system/passwords.ts';
import { createVisitor } from '../../../test/site/support/visitor.ts';
import { enrolStaff } from '../../../test/staff/browse.ts';
import type { TestGateway } from '../../../test/support/gateway.ts';
import { plain } from '../../../test/support/plainCollection.ts';
import type { Person, SignedIn } from './pages.ts';

/** A prompt as people write them, of 400 letters. */
const prompt =
  'A paper boat sails across a sea of ink & stars, “quietly”, while a lighthouse turns. '
    .repeat(5)
    .slice(0, 400);

/**
 * Gives the accounts of a filled history a password, long prompts, posters and, for every third generation, four
 * images; then signs their people and an admin in.
 * @param customers How many accounts to sign in, those with most generations first.
 */
export async function signInEverybody(
  gateway: TestGateway,
  customers: number,
): Promise<Readonly<Record<Person, readonly SignedIn[]>>> {
  const { accounts, generations } = gateway.collections;
  const password = randomUUID();
  const grown = { email: { $regex: '^grown-' } };
  const passwordHash = await argon2Passwords.hash(password);
  await plain(accounts).updateMany(grown, { $set: { passwordHash } });
  const people = await accounts
    .find(grown, { projection: { email: 1, ledgerEntries: 1 } })
    .sort({ ledgerEntries: -1 })
    .limit(customers)
    .toArray();
  const those = { accountId: { $in: people.map(({ _id }) => _id) } };
  const first = { $arrayElemAt: ['$outputs', 0] };
  await plain(generations).updateMany({ ...those, status: 'completed' }, [
    { $set: { prompt: { $concat: [prompt, ' ', '$_id'] }, 'outputs.hasPoster': true } },
  ]);
  await plain(generations).updateMany(
    { ...those, status: 'completed', endNumber: { $mod: [3, 0] } },
    [
      {
        $set: {
          type: 'image',
          model: 'image-b-2',
          mode: null,
          parameters: { n: 4, resolution: '1k', aspect_ratio: '16:9', output_format: 'jpeg' },
          outputs: [first, first, first, first],
        },
      },
    ],
  );
  const customer: SignedIn[] = [];
  // One after the other: a process checks few passwords at once.
  for (const { _id: accountId, email } of people) {
    const visitor = createVisitor(gateway.origin);
    await visitor.get('/sign-in');
    const { path } = await visitor.post('/sign-in', { email, password });
    if (path !== '/studio') throw new Error(`${email} came to ${path}`);
    const [newest] = await generations
      .find({ accountId, status: 'completed' }, { projection: { _id: 1 } })
      .sort({ _id: -1 })
      .limit(1)
      .toArray();
    customer.push({
      accountId,
      generationId: newest?._id ?? '',
      cookie: headerOf(visitor.cookies),
    });
  }
  const { browser } = await enrolStaff(gateway, 'admin');
  const [one] = customer;
  if (!one) throw new Error('there is no account');
  return {
    nobody: [{ ...one, cookie: '' }],
    customer,
    staff: [{ ...one, cookie: headerOf(browser.cookies) }],
  };
}

const headerOf = (cookies: ReadonlyMap<string, string>): string =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
