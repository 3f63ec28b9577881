import { beforeAll, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { minuteMs } from '@framegate/contract';
import { failAndRefund } from '../../gateway/src/application/staff/generationActions.ts';
import { uploadLimits } from '../../gateway/src/domain/generations/uploads.ts';
import { openStaff } from '../staff/openStaff.ts';
import { until } from '../support/until.ts';
import { useArkGateway } from '../support/useArkGateway.ts';
import { addHeldUploads } from './heldUploads.ts';
import { signUpVerified } from './support/signUpVerified.ts';
import { createVisitor, type Visitor } from './support/visitor.ts';

/* Files of the studio whose generation is waiting. */
const world = useArkGateway({ env: { SIGNUP_CREDITS: '600' } });
let ada: Visitor;
let accountId: string;
let photo: Buffer;

beforeAll(async () => {
  const { gateway } = world();
  ada = createVisitor(gateway.origin);
  await signUpVerified(ada, gateway.dataDir, 'ada@example.com');
  const { database } = gateway;
  accountId = (await database.accounts.findByEmail('ada@example.com'))?.id ?? '';
  const limits = { running: 1, waiting: 10, createsPerMinute: 1_000, burst: 1_000 };
  await gateway.collections.accounts.updateOne({ _id: accountId }, { $set: { limits } });
  photo = await sharp({ create: { width: 640, height: 360, channels: 3, background: '#3a6' } })
    .jpeg()
    .toBuffer();
}, minuteMs);

const parts = () => world().gateway;
const find = (id: string) => parts().database.generations.find(id);

/** Sends the studio's form whole, with its files, as a browser does without its script. */
async function send(fields: Record<string, string>, file?: Uint8Array) {
  const form = new FormData();
  form.append('form_token', (await ada.get('/studio')).field('form_token'));
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  if (file) form.append('file.first_frame', new Blob([new Uint8Array(file)]), 'a file');
  const headers = { 'sec-fetch-site': 'same-origin' };
  return ada.send('/studio', { method: 'POST', body: form, headers });
}

/** Orders a video that begins with a new upload. @returns The ids of both. */
async function order(prompt: string, uploaded?: (upload: string) => Promise<unknown>) {
  const image = { model: 'alpha-2.0-mini', mode: 'image-to-video', prompt };
  const page = await send({ do: 'update', ...image }, photo);
  const first_frame = page.field('first_frame');
  const upload = /upl_\w+/.exec(first_frame)?.[0] ?? page.text;
  await uploaded?.(upload);
  const shown = { form_key: page.field('form_key'), shown_credits: page.field('shown_credits') };
  const made = await send({ do: 'create', ...image, ...shown, first_frame });
  return { upload, id: /gen_\w+/.exec(made.path)?.[0] ?? made.text };
}

test('a file that would expire is kept until its generation begins', async () => {
  world().ark.script({ prompt: 'the first', on: 'task', plan: { polls: 0, end: 'never' } });
  const first = await order('the first');
  await until(async () => (await find(first.id))?.step === 'submitted');
  const { uploads } = parts().collections;
  const nowMs = parts().clock.now();
  const waiting = await order('second', (upload) =>
    uploads.updateOne({ _id: upload }, { $set: { expiresAt: new Date(nowMs + minuteMs) } }),
  );
  expect((await find(waiting.id))?.step).toBe('waiting');
  const kept = await parts().database.uploads.find(waiting.upload);
  expect(kept?.expiresAt).toBe((await find(waiting.id))?.deadlineAt);
  // One that is lost anyway, as after a process was killed between the order and the note.
  const lost = await order('third');
  await uploads.updateOne({ _id: lost.upload }, { $set: { expiresAt: new Date(nowMs) } });
  const opened = await openStaff(world().gateway);
  await failAndRefund(opened.staff, first.id, { by: 'a test', reason: 'the next one may begin' });
  await opened.close();
  await until(async () => (await find(lost.id))?.step === 'ended');
  expect(await find(waiting.id)).toMatchObject({ status: 'completed' });
  expect(await find(lost.id)).toMatchObject({
    status: 'failed',
    failure: { code: 'input_unreachable', param: 'inputs[0].url' },
  });
});

test('a file makes room for the next ones once its generation has read it', async () => {
  const { id, upload } = await order('read at once');
  await until(async () => (await find(id))?.step === 'ended');
  const { uploads } = parts().collections;
  await uploads.deleteMany({ _id: { $ne: upload } });
  const later = new Date(parts().clock.now() + minuteMs);
  await addHeldUploads({ uploads }, accountId, uploadLimits.count - 1, later);
  const page = await send({ do: 'update', model: 'alpha-2.0-mini', mode: 'image-to-video' }, photo);
  expect([page.status, page.text]).toEqual([200, expect.stringMatching(/Your image/)]);
  expect(await uploads.findOne({ _id: upload })).toBeNull();
});
