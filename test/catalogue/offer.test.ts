import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  errorOf,
  type OperatorWorld,
  startOperatorWorld,
} from '../operator/support/operatorWorld.ts';
import { temporaryFolder } from '../security/temporaryFolder.ts';
import type { TestAccount } from '../support/gateway.ts';
import { runAdminHere } from '../support/runAdminHere.ts';

/* The effects of MODELS_FILE on accounts: prices of groups, and new and removed models. */

const gamma = {
  type: 'image',
  display_name: 'Gamma',
  typical_seconds: 5,
  capabilities: {
    resolutions: ['1k'],
    aspect_ratios: ['1:1'],
    n: { min: 1, max: 2 },
    output_formats: ['png'],
    max_prompt_length: 500,
    inputs: { image: { max_count: 0 }, video: { max_count: 0 }, audio: { max_count: 0 } },
  },
  pricing: { credits: { '1k': 5 } },
};
const content = {
  models: {
    'gamma-1': gamma,
    'beta-3.0': { deprecated_at: '2026-01-01', sunset_at: '2026-05-01' },
    'alpha-2.0-fast': { pricing: { audio: { numerator: 2, denominator: 1 } } },
  },
  groups: { studio: { '*': { factor: { numerator: 1, denominator: 2 } } } },
};

const folder = temporaryFolder();
let file: string;
let world: OperatorWorld;
let account: TestAccount;

beforeAll(async () => {
  file = join(folder(), 'models.json');
  await writeFile(file, JSON.stringify(content));
  world = await startOperatorWorld({ MODELS_FILE: file });
  account = await world.gateway.addAccount();
});
afterAll(() => world.gateway.stop());

interface Listed {
  id: string;
  pricing: { credits: Record<string, number>; audio?: object };
}
const listed = async (from: TestAccount) => {
  const { json } = await from.get('/v1/models');
  return new Map((json['data'] as Listed[]).map((model) => [model.id, model]));
};
const cost = ({ json }: { json: Record<string, unknown> }) =>
  (json['billing'] as { cost_credits: number }).cost_credits;
const admin = (line: string) => runAdminHere(line.split(' '), world.gateway.env);

describe('a group', () => {
  test("sees, is quoted and pays its own prices, over the API and in the operator's product", async () => {
    const member = await world.gateway.addAccount();
    const changed = await world.operator.post(`/accounts/${member.accountId}/group`, {
      group: 'studio',
    });
    expect([changed.status, changed.json['group']]).toEqual([200, 'studio']);
    const price = (await listed(member)).get('image-b-2')?.pricing.credits;
    expect(price).toEqual({ '1k': 3, '2k': 5, '4k': 9 });

    const body = { model: 'image-b-2', prompt: 'x', parameters: { n: 2, resolution: '2k' } };
    const order = { model: 'image-b-2', parameters: body.parameters };
    const quote = await world.operator.post(`/accounts/${member.accountId}/quotes`, order);
    expect(quote.json['cost_credits']).toBe(10);
    expect(cost(await member.post('/v1/images', body))).toBe(10);
    const made = await world.operator.post(`/accounts/${member.accountId}/images`, body);
    expect(cost(made)).toBe(10);
    expect(cost(await account.post('/v1/images', body))).toBe(18);
    const { generations } = world.gateway.collections;
    const stored = await generations.findOne({ _id: String(made.json['id']) });
    expect(stored).toMatchObject({ costCredits: 10, catalogueVersion: 1, priceGroup: 'studio' });
  });

  test('must be named by MODELS_FILE or ROUTES_FILE, and null removes an account from it', async () => {
    const id = await world.addCustomer();
    const wrong = await world.operator.post(`/accounts/${id}/group`, { group: 'studios' });
    expect(errorOf(wrong)).toMatchObject({ status: 400, param: 'group' });
    expect(JSON.stringify(wrong.json)).toContain(
      'Neither MODELS_FILE nor ROUTES_FILE names this group; they name studio',
    );
    const email = `${randomUUID()}@example.com`;
    const made = await world.operator.post('/accounts', { email, group: 'studio' });
    expect(made.json['group']).toBe('studio');
    const path = `/accounts/${String(made.json['id'])}/group`;
    expect((await world.operator.post(path, { group: null })).json['group']).toBeNull();
  });

  test('can also be set by a command', async () => {
    const id = await world.addCustomer();
    const { stdout } = await admin(`account group --account ${id} --group studio`);
    expect(JSON.parse(stdout)).toEqual({ account_id: id, group: 'studio' });
    const unknown = await admin(`account group --account ${id} --group none-such`);
    expect([unknown.status, unknown.stderr]).toEqual([
      1,
      expect.stringContaining('groups: studio'),
    ]);
  });
});

describe('models', () => {
  test('of the operator are listed last, sold, and allowed for keys', async () => {
    const models = await listed(account);
    expect([...models.keys()].at(-1)).toBe('gamma-1');
    const order = { model: 'gamma-1', prompt: 'x', parameters: { n: 2 } };
    const made = await account.post('/v1/images', order);
    expect([made.status, cost(made)]).toEqual([202, 10]);
    const key = await world.operator.post(`/accounts/${account.accountId}/keys`, {
      name: 'gamma',
      models: ['gamma-1'],
    });
    expect(key.status).toBe(201);
    const large = await account.post('/v1/images', { ...order, parameters: { resolution: '2k' } });
    expect(errorOf(large)).toMatchObject({ status: 400, param: 'parameters.resolution' });
  });

  test('are gone after their sunset', async () => {
    expect((await listed(account)).has('beta-3.0')).toBe(false);
    const order = { model: 'beta-3.0', mode: 'text-to-video', prompt: 'x' };
    expect(errorOf(await account.post('/v1/videos', order))).toMatchObject({
      status: 404,
      code: 'model_not_found',
    });
  });

  test('have their own factor for sound', async () => {
    const order = {
      model: 'alpha-2.0-fast',
      mode: 'text-to-video',
      prompt: 'x',
      parameters: { duration_seconds: 4, resolution: '480p', generate_audio: true },
    };
    expect(cost(await account.post('/v1/videos', order))).toBe(40);
  });
});

describe('the commands', () => {
  test('print the changes that customers will see, and the impossible ones', async () => {
    const models = { ...content.models, 'gamma-1': undefined, 'image-a-2': { display_name: 'A' } };
    const next = { ...content, models };
    await writeFile(file, JSON.stringify(next));
    const checked = await admin('models check');
    expect(checked.status).toBe(1);
    expect(JSON.parse(checked.stdout)).toMatchObject({
      in_force: 1,
      changes: expect.arrayContaining([
        {
          group: null,
          model: 'image-a-2',
          field: 'display_name',
          before: 'Image A 2',
          after: 'A',
        },
        { group: null, model: 'gamma-1', field: '', before: true, after: false },
      ]) as unknown,
      problems: [expect.stringContaining('models["gamma-1"] is missing')],
    });
    expect(await world.gateway.reloadRoutes()).toMatchObject({ result: 'refused' });
  });

  test('list the versions page by page', async () => {
    const added = { ...content, models: { ...content.models, 'gamma-2': gamma } };
    await writeFile(file, JSON.stringify(added));
    expect(await world.gateway.reloadRoutes()).toMatchObject({ result: 'reloaded' });
    const page = async (line: string) => {
      const { stdout } = await admin(line);
      const { versions, next } = JSON.parse(stdout) as {
        versions: { version: number; from_file: boolean; models: number }[];
        next: number | null;
      };
      return { versions: versions.map(({ version, models }) => [version, models]), next };
    };
    expect(await page('models list --limit 1')).toEqual({ versions: [[2, 11]], next: 2 });
    expect(await page('models list --limit 1 --before 2')).toEqual({
      versions: [[1, 10]],
      next: null,
    });
    expect((await listed(account)).has('gamma-2')).toBe(false);
    const published = JSON.parse((await admin('models publish')).stdout) as object;
    expect(published).toMatchObject({ result: 'unchanged', version: 2 });
  });
});
