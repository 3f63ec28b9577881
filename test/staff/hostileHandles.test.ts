import { beforeAll, expect, test } from '@jest/globals';
import { reportLost } from '../../gateway/src/application/generations/run/paidWork.ts';
import { formatOperation } from '../../gateway/src/domain/generations/providerTask.ts';
import { video } from '../support/bodies.ts';
import { useArkGateway } from '../support/useArkGateway.ts';
import { type Browser, enrolStaff } from './browse.ts';

/*
 * The attack: a provider puts our key into the id of a job, which later requests repeat. The console and the log
 * show it without the key.
 */

const apiKey = 'CANARYKEY-0123456789';
const inBase64 = Buffer.from(`Bearer ${apiKey}`).toString('base64url');
const world = useArkGateway({
  ark: { apiKey, taskIdOf: (number) => `task-${number}-${apiKey}-${inBase64}` },
});
let support: Browser;
beforeAll(async () => {
  support = (await enrolStaff(world().gateway, 'support')).browser;
});

test('the provider is polled by its own handle, and no one sees the key in it', async () => {
  const { ark, gateway } = world();
  const account = await gateway.addAccount();
  const { json } = await account.post('/v1/videos', video({ prompt: 'hostile' }));
  const id = String(json['id']);
  expect(await account.untilEnded(id)).toMatchObject({ status: 'completed' });
  expect(ark.submitted()[0]?.taskId).toContain(apiKey);

  const { html } = await support.get(`/staff/generations/${id}`);
  expect(html).toContain('<code>{&quot;taskId&quot;:&quot;task-1-&lt;key&gt;-');
  for (const secret of ['CANARY', Buffer.from('CANARYKE').toString('base64url').slice(2, -2)]) {
    expect(html).not.toContain(secret);
  }

  const generation = await gateway.database.generations.find(id);
  const lines: unknown[] = [];
  const log = { error: (fields: object) => void lines.push(fields) };
  const attempts = generation?.attempts ?? [];
  reportLost({ log: log as never, recordLost: () => undefined }, { id }, attempts, 'not_stored');
  expect(JSON.stringify(lines)).toContain('<key>');
  expect(JSON.stringify(lines)).not.toContain('CANARY');
});

test('a handle without the key is shown unchanged', () => {
  expect(formatOperation({ operation: { taskId: 'cgt-1' } })).toBe('{"taskId":"cgt-1"}');
  expect(formatOperation({ operation: null })).toBeNull();
});
