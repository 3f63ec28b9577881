import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  mayInTeam,
  type TeamAct,
  type TeamRole,
  teamRoles,
} from '../../gateway/src/domain/teams/teamRoles.ts';
import { pageRights, rightFor } from '../../gateway/src/http/site/account/pageRights.ts';
import { addFinished } from '../site/support/addFinished.ts';
import { shownKey } from '../site/support/useKeyPages.ts';
import type { Customer } from '../site/support/useSecondFactor.ts';
import { sent } from '../site/support/useStudio.ts';
import { teamPath, type TeamWorld, useTeam } from '../site/support/useTeam.ts';
import { requests } from '../support/gateway.ts';
import { offeredOn } from '../support/offered.ts';

/* The rights of each role, by the table of acts, at every entry point. */

const world = useTeam();
let { gateway, person, accountOf, addMember } = {} as TeamWorld;
let owner: Customer;
const people = {} as Record<TeamRole, Customer>;
const keys = {} as Record<TeamRole, string>;
const keysPath = '/settings/public-api';

beforeAll(async () => {
  ({ gateway, person, accountOf, addMember } = world());
  owner = await person('boss');
  for (const role of teamRoles) {
    const each = await person(role);
    people[role] = each;
    await addMember(owner, each, 'member');
    const form_key = (await each.visitor.get(keysPath)).field('form_key');
    const fields = { form_key, name: `of ${role}`, models: ['alpha-2.0-mini'] };
    keys[role] = shownKey(await each.visitor.post(`${keysPath}/keys`, fields));
    await owner.visitor.get(teamPath);
    await owner.visitor.post(`${teamPath}/role`, { member: each.accountId, role });
  }
});

const routes = Object.entries(pageRights).flatMap(([route, right]) => {
  const [method = '', pattern = ''] = route.split(' ');
  return right === 'own' ? [] : [{ method, pattern, right }];
});
/** An unused id. */
const nobodys = { generations: 'gen', collections: 'col', uploads: 'upl', keys: 'key' } as const;
const pathOf = (pattern: string) =>
  pattern.replace(/(\w+)\/:\w+/, (_all, kind: keyof typeof nobodys) => {
    const id = gateway.random.newId(nobodys[kind]);
    return `${kind}/${id}`;
  });
const made = (by: Customer) =>
  addFinished(gateway, owner.accountId, { madeBy: by.accountId, prompt: 'merger with Acme' });
const video = { model: 'alpha-2.0-mini', mode: 'text-to-video', prompt: 'merger with Acme' };
/** Orders a video at the site, which waits: no worker runs here. */
const order = async ({ visitor }: Customer) => {
  const form = await visitor.post('/studio', { do: 'update', ...video });
  const done = await visitor.post('/studio', { ...video, ...sent(form), do: 'create' });
  return /generation=(gen_\w+)/.exec(done.path)?.[1] ?? '';
};
const isDeleted = async (id: string) =>
  (await gateway.collections.generations.findOne({ _id: id }))?.deletedAt !== undefined;
const remove = async ({ visitor }: Customer, ids: string[]) => {
  await visitor.get('/history');
  return visitor.post('/history/delete', { id: ids });
};
const publish = async ({ visitor }: Customer, id: string) => {
  await visitor.get('/history');
  return visitor.post(`/generations/${id}/share`, { days: '7', prompt: 'yes' });
};
const isPublished = async (id: string) =>
  (await gateway.collections.shares.findOne({ _id: id })) !== null;

describe.each(teamRoles)('the role %s', (role) => {
  test('opens the pages and sends the forms of its acts, and no others', async () => {
    const { visitor } = people[role];
    const wrong: string[] = [];
    await visitor.get('/settings/account');
    for (const { method, pattern, right } of routes) {
      const path = pathOf(pattern);
      const page = method === 'GET' ? await visitor.get(path) : await visitor.post(path);
      const isLedElsewhere = path === '/studio' && page.path === '/credits';
      const isRefused = page.text.includes('Your role (') || isLedElsewhere;
      if (isRefused === mayInTeam(role, right)) wrong.push(`${method} ${pattern} ${page.status}`);
    }
    expect(wrong).toEqual([]);
  });

  test('sees no link and no form that it may not use', async () => {
    const { visitor } = people[role];
    const own = await made(people[role]);
    const ids = [own, await made(owner), await order(owner)];
    const { keys: all } = await accountOf(owner);
    const pages = routes
      .filter(({ method, right }) => method === 'GET' && mayInTeam(role, right))
      .flatMap(({ pattern }) =>
        pattern.includes('/keys/:')
          ? all.map(({ id }) => pattern.replace(':keyId', id))
          : pattern.includes('/generations/:')
            ? ids.map((id) => pattern.replace(':id', id))
            : pathOf(pattern),
      )
      .filter((path) => !/\.(zip|csv)$|progress$/.test(path));
    const links = new Map<string, string>();
    const forms = new Map<string, string>();
    for (const path of pages) {
      const { text, status } = await visitor.get(path);
      if (status !== 200) continue;
      const offered = offeredOn(text);
      for (const link of offered.links) links.set(link.replace(/[?#].*/, ''), path);
      for (const form of offered.forms) forms.set(form, path);
    }
    const isOfTeam = (method: string, path: string) =>
      rightFor(method, path) !== 'own' && !/^\/(docs|site|media)/.test(path);
    const refused: string[] = [];
    const note = (what: string, { status, text }: { status: number; text: string }) => {
      if (status === 403 || text.includes('Your role (')) refused.push(what);
    };
    for (const [link, on] of links) {
      if (isOfTeam('GET', link) && !pages.includes(link)) {
        note(`${on} links to ${link}`, await visitor.get(link));
      }
    }
    for (const [form, on] of forms) {
      if (!isOfTeam('POST', form)) continue;
      // Objects that other tests still need are only read.
      const isEnd = /\/(revoke|rotate|remove|keys|factor|name|limit|month|delete)$/.test(form);
      if (!isEnd) note(`${on} posts to ${form}`, await visitor.post(form, { id: own }));
      else if (!mayInTeam(role, rightFor('POST', form) as TeamAct)) refused.push(form);
    }
    expect(forms.size).toBeGreaterThan(role === 'billing' ? 1 : 5);
    expect(refused).toEqual([]);
  });

  test('deletes, publishes and cancels the work of others only if its acts include this', async () => {
    const [others, own] = [await made(owner), await made(people[role])];
    await publish(people[role], others);
    await publish(people[role], own);
    expect([await isPublished(others), await isPublished(own)]).toEqual([
      mayInTeam(role, 'publish all work'),
      mayInTeam(role, 'publish own work'),
    ]);
    const waiting = await order(owner);
    await people[role].visitor.get('/settings/account');
    const cancelled = await people[role].visitor.post(`/generations/${waiting}/cancel`);
    expect(cancelled.status === 403).toBe(!mayInTeam(role, 'delete all work'));
    const { text } = await people[role].visitor.get(`/history/compare?id=${others}&id=${own}`);
    const acts = [mayInTeam(role, 'delete all work'), mayInTeam(role, 'delete own work')];
    // Each is offered alone, and as the counterpart of the kept one.
    const offered = text.match(/href="\/history\/delete/g) ?? [];
    expect(offered).toHaveLength(2 * acts.filter(Boolean).length);
    await remove(people[role], [others, own]);
    expect([await isDeleted(others), await isDeleted(own)]).toEqual([
      mayInTeam(role, 'delete all work'),
      mayInTeam(role, 'delete own work'),
    ]);
  });

  test('changes and deletes the collections of others only if its acts include this', async () => {
    const name = `of the boss for ${role}`;
    const id = await made(owner);
    await owner.visitor.get('/history');
    await owner.visitor.post('/history/collections', { id, name });
    const { generationCollections } = gateway.collections;
    const collection = await generationCollections.findOne({ name });
    const { visitor } = people[role];
    for (const form of ['name', 'delete', 'take-out']) {
      await visitor.get('/settings/account');
      await visitor.post(`/collections/${collection?._id}/${form}`, { id, name: 'taken' });
    }
    const left = await generationCollections.findOne({ _id: collection?._id ?? '' });
    expect(left?.name ?? null).toBe(mayInTeam(role, 'change all collections') ? null : name);
  });

  test('sees prompts and names of keys only if its acts include this', async () => {
    const id = await order(owner);
    const texts = [];
    for (const { method, pattern } of routes) {
      if (method !== 'GET') continue;
      const asked = pattern.includes('generations') ? pattern.replace(':id', id) : pathOf(pattern);
      texts.push((await people[role].visitor.get(`${asked}?id=${id}&like=${id}`)).text);
    }
    const all = texts.join('\n');
    expect(all.includes('merger with Acme')).toBe(mayInTeam(role, 'see prompts'));
    const named = teamRoles.filter((each) => each !== role && all.includes(`of ${each}<`));
    expect(named.length > 0).toBe(mayInTeam(role, 'see key names') && mayInTeam(role, 'see work'));
  });

  test('has a working key only if its acts include keys, at the API and over MCP', async () => {
    const may = mayInTeam(role, 'make own keys');
    const api = requests(gateway.origin, keys[role]);
    expect((await api.post('/v1/videos', video)).status).toBe(may ? 202 : 401);
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const tools = await fetch(`${gateway.origin}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${keys[role]}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify(list),
    });
    expect(tools.status === 401).toBe(!may);
    if (may) expect(await tools.text()).not.toMatch(/"name":"[^"]*(delete|remove|share)/);
  });
});

test('a member sees the work made with keys, without the names of keys of others', async () => {
  const account = await accountOf(owner);
  const named = (name: string) => account.keys.find((key) => key.name === name)?.id ?? '';
  const byKey = (keyId: string) => addFinished(gateway, owner.accountId, { channel: 'api', keyId });
  const [own, others] = [await byKey(named('of member')), await byKey(named('of editor'))];
  const { visitor } = people.member;
  expect((await visitor.get(`/generations/${own}`)).text).toContain('of member');
  const page = await visitor.get(`/generations/${others}`);
  expect(page.text).toContain('a key created by editor@example.com');
  expect((await visitor.get('/history')).text).not.toContain('of editor<');
  // Work of an own key is own work.
  await remove(people.member, [own, others]);
  expect([await isDeleted(own), await isDeleted(others)]).toEqual([true, false]);
});
