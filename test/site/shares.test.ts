import { beforeAll, describe, expect, test } from '@jest/globals';
import { hourMs, minuteMs } from '@framegate/contract';
import { sharedPerMinute } from '../../gateway/src/http/site/account/generations/sharedPage.ts';
import { addFinished } from './support/addFinished.ts';
import { signUpVerified } from './support/signUpVerified.ts';
import { useStudio } from './support/useStudio.ts';
import { createVisitor, type Visitor } from './support/visitor.ts';

const studio = useStudio();
let visitor: Visitor;
let stranger: Visitor;

beforeAll(() => {
  ({ visitor } = studio());
  stranger = createVisitor(studio().gateway.origin);
});

const shares = () => studio().gateway.collections.shares;
const add = () => addFinished(studio().gateway, studio().accountId);
const linkOn = (text: string) => /value="[^"]*(\/shared\/[\w-]{43})"/.exec(text)?.[1] ?? '';

/** Makes a link to a finished generation. @returns The ids of both. */
async function share(fields: Record<string, string> = {}, id?: string) {
  const made = id ?? (await add());
  await visitor.get(`/generations/${made}/share`);
  const page = await visitor.post(`/generations/${made}/share`, { days: '7', ...fields });
  return { id: made, link: linkOn(page.text), page };
}

describe('a link to a result', () => {
  test('shows the files to anyone, and nothing else', async () => {
    const { id, link } = await share();
    const shown = await stranger.get(link);
    expect(shown.status).toBe(200);
    expect(shown.text.match(/<img [^>]*outputs/g)).toHaveLength(2);
    for (const secret of ['A quiet place', 'studio@example.com', 'acct_', 'credits', 'Image B 2']) {
      expect(shown.text).not.toContain(secret);
    }
    expect(shown.text).toContain('<meta name="robots" content="noindex, nofollow" />');
    expect(shown.headers.get('x-robots-tag')).toBe('noindex, nofollow');
    expect(shown.headers.get('referrer-policy')).toBe('no-referrer');
    expect(shown.headers.get('cache-control')).toBe('no-store');
    expect(shown.headers.get('content-security-policy')).not.toContain('script-src');
    expect(shown.headers.getSetCookie()).toEqual([]);
    // URLs of files are valid for minutes, not for a day as for the owner.
    const url = /href="([^"]+outputs[^"]+)"/.exec(shown.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const expires = Number(new URL(url).searchParams.get('expires')) * 1000;
    const nowMs = studio().gateway.clock.now();
    expect(expires - nowMs).toBeGreaterThan(14 * minuteMs);
    expect(expires - nowMs).toBeLessThanOrEqual(30 * minuteMs);
    expect((await fetch(url)).status).toBe(200);
    expect(shown.text).toContain(id);
  });

  test('has a picture that chat programs can load', async () => {
    const { link } = await share();
    const { text } = await stranger.get(link);
    expect(text).toContain('<meta property="og:title" content="Shared images" />');
    const [, picture = ''] = /<meta property="og:image" content="([^"]+)"/.exec(text) ?? [];
    const loaded = await fetch(picture.replaceAll('&amp;', '&'));
    expect([loaded.status, loaded.headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/^image\//),
    ]);
  });

  test('shows the prompt if its owner chooses so', async () => {
    const { link } = await share({ prompt: 'yes' });
    expect((await stranger.get(link)).text).toContain('A quiet place by the water');
  });

  test('can be viewed again by its owner, although the database has only its hash', async () => {
    const { id, link } = await share();
    expect(linkOn((await visitor.get(`/generations/${id}/share`)).text)).toBe(link);
    const stored = JSON.stringify(await shares().findOne({ _id: id }));
    expect(stored).not.toContain(link.slice('/shared/'.length));
  });

  test('is replaced by the next one, and revoked immediately', async () => {
    const { id, link } = await share();
    const next = await share({}, id);
    expect(next.link).not.toBe(link);
    expect((await stranger.get(link)).status).toBe(404);
    expect((await stranger.get(next.link)).status).toBe(200);
    const page = await visitor.post(`/generations/${id}/share/revoke`);
    expect(page.text).toContain('Link revoked.');
    const gone = await stranger.get(next.link);
    expect([gone.status, gone.headers.get('x-robots-tag')]).toEqual([404, 'noindex, nofollow']);
  });

  test('ends at its expiry, with its files and with its account', async () => {
    const { accounts, generations } = studio().gateway.collections;
    const { id, link } = await share();
    await shares().updateOne({ _id: id }, { $set: { expiresAt: new Date(Date.now() - 1000) } });
    expect((await stranger.get(link)).status).toBe(404);
    const other = await share();
    await accounts.updateOne({ _id: studio().accountId }, { $set: { status: 'suspended' } });
    expect((await stranger.get(other.link)).status).toBe(404);
    await accounts.updateOne({ _id: studio().accountId }, { $set: { status: 'active' } });
    expect((await stranger.get(other.link)).status).toBe(200);
    await generations.updateOne({ _id: other.id }, { $set: { outputsRemovedAt: new Date() } });
    expect((await stranger.get(other.link)).status).toBe(404);
    const page = await visitor.get(`/generations/${other.id}/share`);
    expect(page.text).toContain('There are no files to share.');
  });

  test('ends with the files at the latest, and its page states how long they are kept', async () => {
    const id = await add();
    const { generations } = studio().gateway.collections;
    const removeAt = new Date(Date.now() + 36 * hourMs);
    await generations.updateOne({ _id: id }, { $set: { outputsRemoveAt: removeAt } });
    const page = await visitor.get(`/generations/${id}/share`);
    const choices = [...page.text.matchAll(/<option [^>]*>([^<]+)</g)].map(([, words]) => words);
    expect(choices).toEqual(['1 day', 'the files are deleted']);
    const kept = new RegExp(`warning">Kept until <time datetime="${removeAt.toISOString()}"`);
    expect(page.text).toMatch(kept);
    for (const path of [`/generations/${id}`, '/history', '/studio']) {
      expect((await visitor.get(path)).text).toMatch(kept);
    }
    await share({ days: '30' }, id);
    expect((await shares().findOne({ _id: id }))?.expiresAt).toEqual(removeAt);
    expect((await visitor.get(`/generations/${id}/share`)).text).toContain(
      `datetime="${removeAt.toISOString()}"`,
    );
  });

  test('is made and revoked only by the owner', async () => {
    const { id, link } = await share();
    const thief = createVisitor(studio().gateway.origin);
    await signUpVerified(thief, studio().gateway.dataDir, 'thief@example.com');
    await thief.get('/history');
    expect((await thief.get(`/generations/${id}/share`)).status).toBe(404);
    expect((await thief.post(`/generations/${id}/share`, { days: '1' })).status).toBe(404);
    expect((await thief.post(`/generations/${id}/share/revoke`)).status).toBe(404);
    expect((await stranger.get(link)).status).toBe(200);
  });

  test.each(['/shared/x', `/shared/${'a'.repeat(43)}`, `/shared/${'a'.repeat(44)}`])(
    '%s is not one',
    async (path) => {
      expect((await stranger.get(path)).status).toBe(404);
    },
  );
});

test('loads sixty times a minute from one address', async () => {
  let status = 404;
  for (let loads = 0; loads <= sharedPerMinute && status === 404; loads += 1) {
    ({ status } = await stranger.get('/shared/guess'));
  }
  expect(status).toBe(429);
  // Other pages are not affected.
  expect((await stranger.get('/sign-in')).status).toBe(200);
});
