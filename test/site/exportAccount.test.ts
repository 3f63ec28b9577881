import { describe, expect, test } from '@jest/globals';
import { addFinished } from './support/addFinished.ts';
import { password } from './support/signUpVerified.ts';
import { useTeam } from './support/useTeam.ts';
import type { Visitor } from './support/visitor.ts';

/* The archive of all data of an account. */

const world = useTeam();
const path = '/settings/account/export';

/** Asks for the archive. @returns Its files: names and contents, which are stored as they are. */
async function download(visitor: Visitor) {
  await visitor.get(path);
  const response = await visitor.post(path, { current_password: password });
  return { response, files: filesIn(response.text) };
}

/** The files of an archive without compression, by the entries before each (PKWARE APPNOTE 4.3.7). */
function filesIn(archive: string): Map<string, string> {
  const parts = archive.split('PK\u0003\u0004').slice(1);
  return new Map(
    parts.map((part) => {
      const [, name = '', content = ''] =
        /((?:[a-z-]+\.(?:jsonl?)|files\/gen_\w+-\d\.jpg))([^]*?)(?=PK\u0007\u0008)/.exec(part) ??
        [];
      return [name, content];
    }),
  );
}

const json = (files: Map<string, string>, name: string) =>
  JSON.parse(files.get(name) ?? '') as Record<string, unknown>;

describe('the archive of an account', () => {
  test('has its data as JSON and its files, and no secret', async () => {
    const { person, addMember, gateway, accountOf } = world();
    const owner = await person('exporter');
    const member = await person('helper');
    await addMember(owner, member, 'member');
    const { visitor, accountId, email } = owner;
    await visitor.get('/settings/public-api');
    await visitor.post('/settings/public-api/keys', { name: 'shop', current_password: password });
    const ids = [
      await addFinished(gateway, accountId),
      await addFinished(gateway, accountId, { prompt: 'Another one' }),
    ];
    const foreign = await addFinished(gateway, member.accountId, { prompt: "Somebody else's" });

    const { response, files } = await download(visitor);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'application/zip',
    ]);
    expect(json(files, 'account.json')).toMatchObject({
      id: accountId,
      email,
      email_verified: true,
      credits: { available: 1_000 },
    });
    expect(json(files, 'teams.json')).toMatchObject({
      member_of: [],
      members: [{ email: member.email, role: 'member' }],
    });
    expect(json(files, 'sessions.json')).toHaveLength(1);
    const lines = (name: string) =>
      (files.get(name) ?? '')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as object);
    expect(lines('ledger.jsonl')).toMatchObject([{ object: 'ledger_entry', amount: 1_000 }]);
    expect(lines('generations.jsonl')).toMatchObject([
      { id: ids[1], prompt: 'Another one', parameters: { n: 2 }, files: 2 },
      { id: ids[0], prompt: 'A quiet place by the water' },
    ]);
    expect(files.get(`files/${ids[0]}-2.jpg`)).toBe('picture 1');
    expect(response.text).not.toContain(foreign);
    const account = await accountOf(owner);
    const secrets = [account.passwordHash, ...account.keys.map(({ hash }) => hash)];
    expect(secrets[0]).toMatch(/^\$argon2/);
    for (const secret of secrets) expect(response.text).not.toContain(secret);
    // Their own archive, even while they act for the team.
    const theirs = await download(member.visitor);
    expect(json(theirs.files, 'account.json')).toMatchObject({ email: member.email });
    expect(theirs.response.text).not.toContain(ids[0]);
  });

  test('needs the password, and names the omitted files', async () => {
    const { person, gateway } = world();
    const { visitor, accountId } = await person('forgetful');
    const id = await addFinished(gateway, accountId);
    await visitor.get(path);
    const wrong = await visitor.post(path, { current_password: 'no' });
    expect([wrong.status, wrong.text]).toEqual([
      400,
      expect.stringContaining('field-current-problem'),
    ]);
    const { generations } = gateway.collections;
    await generations.updateOne(
      { _id: id },
      {
        $set: { 'outputs.0.key': 'outputs/gone.jpg' },
      },
    );
    const { files } = await download(visitor);
    expect(json(files, 'not-included.json')).toEqual([`files/${id}-1.jpg`]);
    expect(files.get(`files/${id}-2.jpg`)).toBe('picture 1');
    // Ten an hour.
    for (let times = 0; times < 9; times += 1) await download(visitor);
    expect((await download(visitor)).response.status).toBe(429);
  });
});
