import { beforeAll, describe, expect, test } from '@jest/globals';
import { requests } from '../support/gateway.ts';
import { until } from '../support/until.ts';
import { type KeyPages, path, rowOf, shownKey, useKeyPages } from './support/useKeyPages.ts';

const pages = useKeyPages();
let { gateway, visitor, createKey, rotate, account, keyOf, signUpThief } = {} as KeyPages;
beforeAll(() => {
  ({ gateway, visitor, createKey, rotate, account, keyOf, signUpThief } = pages());
});

describe('API keys', () => {
  test('a key is shown once, works immediately, and is stored nowhere', async () => {
    const made = await createKey({ name: 'n8n', hosts: 'a.files.example\nmedia.other.example' });
    const apiKey = shownKey(made);
    expect(made.text).toContain('Base URL');
    expect(made.text).toContain(`Bearer ${apiKey}`);
    expect(made.text).toContain('media.other.example needs approval');
    const client = requests(gateway.origin, apiKey);
    const models = (await client.get('/v1/models')).json['data'] as { id: string }[];
    expect(models.map(({ id }) => id)).toEqual(['alpha-2.0-fast', 'image-b-2']);
    const list = await visitor.get(path);
    expect(list.text).not.toContain(apiKey);
    expect(list.text).toContain(`${apiKey.slice(0, 14)}…${apiKey.slice(-4)}`);
    expect(list.text).toContain('<td>2, 1 pending</td>');
    const { text } = await visitor.get(`${path}/keys/${(await keyOf('n8n')).id}`);
    expect(text).toMatch(/a\.files\.example<\/code> <span class="badge success">approved/);
    expect(text).toMatch(/media\.other\.example<\/code> <span class="badge warning">waiting for/);
    const { accounts, sessions } = gateway.collections;
    const stored = JSON.stringify([
      await accounts.find().toArray(),
      await sessions.find().toArray(),
    ]);
    expect(stored).not.toContain(apiKey);
    expect(made.headers.get('cache-control')).toBe('no-store');
  });

  test('the list shows the last use of a key', async () => {
    const apiKey = shownKey(await createKey({ name: 'used' }));
    expect((await visitor.get(path)).text).toContain('<td>never</td>');
    await requests(gateway.origin, apiKey).get('/v1/credits/balance');
    const { keyUses } = gateway.collections;
    const id = (await keyOf('used')).id;
    await until(async () => (await keyUses.countDocuments({ _id: id })) > 0);
    const row = rowOf(await visitor.get(path), 'used');
    expect(row).toMatch(/<td><time /);
  });

  test('a form sent twice makes one key and shows it, but not later', async () => {
    const form = await visitor.get(path);
    const fields = { form_key: form.field('form_key'), name: 'double', models: 'image-b-2' };
    const [one, two] = await Promise.all([
      visitor.post(`${path}/keys`, fields),
      visitor.post(`${path}/keys`, fields),
    ]);
    expect(shownKey(one)).toMatch(/^fg_live_/);
    expect(one.text).toContain('id="tools-n8n"');
    expect(shownKey(two)).toBe(shownKey(one));
    const keys = (await account()).keys.filter(({ name }) => name.startsWith('double'));
    expect(keys).toHaveLength(1);
    const { accounts } = gateway.collections;
    await accounts.updateOne({ 'keys.id': keys[0]?.id ?? '' }, [
      {
        $set: {
          keys: {
            $map: {
              input: '$keys',
              in: { $mergeObjects: ['$$this', { createdAt: { $subtract: ['$$NOW', 120_000] } }] },
            },
          },
        },
      },
    ]);
    const late = await visitor.post(`${path}/keys`, fields);
    expect(shownKey(late)).toBe('');
    expect(late.text).toContain('t show it again');
  });

  test('each problem is shown at its field, and typed values stay', async () => {
    const page = await createKey({ name: ' ', hosts: 'ok.example, 10.0.0.1', models: [] });
    expect(page.status).toBe(400);
    expect(page.text).toContain('id="field-name-problem"');
    expect(page.text).toContain('Use a DNS name');
    expect(page.text).toContain('Choose at least one model');
    expect(page.text).toContain('ok.example, 10.0.0.1</textarea>');
    expect(page.text).not.toContain('" checked');
  });

  test('a replaced key keeps working for a while', async () => {
    const old = shownKey(await createKey({ name: 'rotated', hosts: 'b.files.example' }));
    const key = await keyOf('rotated');
    const fresh = shownKey(await rotate(key.id, '1'));
    expect(fresh).not.toBe(old);
    for (const each of [old, fresh]) {
      expect((await requests(gateway.origin, each).get('/v1/credits/balance')).status).toBe(200);
    }
    const keys = (await account()).keys.filter(({ name }) => name === 'rotated');
    const [before, after] = keys;
    expect(after?.hosts).toEqual(before?.hosts);
    expect(before?.revokedAt).toBeGreaterThan(after?.createdAt ?? Infinity);
    const { accounts } = gateway.collections;
    await accounts.updateOne(
      { 'keys.id': key.id },
      { $set: { 'keys.$.revokedAt': new Date((after?.createdAt ?? 0) - 1) } },
    );
    const again = `${old.slice(0, -1)}${old.slice(-1)}`;
    const create = await requests(gateway.origin, again).post('/v1/images', {
      model: 'image-b-2',
      prompt: 'x',
    });
    expect(create.status).toBe(401);
  });

  test('a replaced key is listed under its successor, and is revoked by its own name and characters', async () => {
    const old = shownKey(await createKey({ name: 'twin' }));
    const key = await keyOf('twin');
    const made = await rotate(key.id, '24');
    const fresh = shownKey(made);
    // The page that shows the new key can revoke the old one after a separate click.
    const [, folded = ''] = made.text.split('<h2>Old key</h2>');
    expect(folded).toMatch(/works until[^]*<details>[^]*Revoke “twin” …/);
    expect(folded).toContain(`${path}/keys/${key.id}/revoke`);
    const { text } = await visitor.get(path);
    const successor = (await account()).keys.find(({ lastFour }) => fresh.endsWith(lastFour));
    const [, behind = ''] = text.split(`<tr id="${successor?.id}"`);
    const former = behind.split('<tr id="')[1] ?? '';
    expect(former).toContain(key.id);
    expect(former).toContain('Replaced:');
    expect(former).toContain('works until');
    expect(text.split(`<tr id="${key.id}"`)).toHaveLength(2);
    const own = (await visitor.get(`${path}/keys/${key.id}`)).text;
    expect(own).toContain(`Revoke “twin” …${old.slice(-4)}`);
    expect(own).not.toContain(fresh.slice(-4));
    expect(own).not.toContain('Create new key');
    const revoked = await visitor.post(`${path}/keys/${key.id}/revoke`);
    expect(revoked.text).toContain(`The key “twin” …${old.slice(-4)} has been revoked.`);
    expect((await requests(gateway.origin, old).get('/v1/credits/balance')).status).toBe(401);
    expect((await requests(gateway.origin, fresh).get('/v1/credits/balance')).status).toBe(200);
  });

  test('a host is requested once, and a refusal names the problem', async () => {
    await createKey({ name: 'hosts' });
    const { id } = await keyOf('hosts');
    const ask = (host: string) => visitor.post(`${path}/keys/${id}/hosts`, { host });
    const wrong = await ask('localhost');
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain('value="localhost"');
    expect((await ask('https://cdn.someone.example/a.png')).text).toContain(
      'You requested cdn.someone.example',
    );
    await ask('cdn.someone.example');
    expect((await ask('x.files.example')).text).toContain('is approved');
    expect((await keyOf('hosts')).hosts).toEqual([
      { rule: 'cdn.someone.example', state: 'requested' },
      { rule: 'x.files.example', state: 'approved' },
    ]);
  });

  test('a revoked key stops working, and no account can change the keys of another', async () => {
    const apiKey = shownKey(await createKey({ name: 'gone' }));
    const { id } = await keyOf('gone');
    const thief = await signUpThief('thief@example.com');
    await thief.post(`${path}/keys/${id}/revoke`);
    await thief.post(`${path}/keys/${id}/hosts`, { host: 'evil.example' });
    const stolen = await thief.post(`${path}/keys/${id}/rotate`, { form_key: 'x', overlap: '0' });
    expect(shownKey(stolen)).toBe('');
    expect(await keyOf('gone')).toMatchObject({ revokedAt: null, hosts: [] });
    await visitor.get(path);
    await visitor.post(`${path}/keys/${id}/revoke`);
    const refused = await requests(gateway.origin, apiKey).get('/v1/credits/balance');
    expect(refused.status).toBe(401);
  });
});
