import { Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import type { StoreUploadResult } from '@framegate/media';
import type { SiteContext } from '../../gateway/src/http/site/account/site.ts';
import { receiveUploads } from '../../gateway/src/http/site/account/studio/studioUploads.ts';

/** Sends the studio's form with a picture that gets this outcome. */
async function send(taken: StoreUploadResult) {
  const headers: Record<string, string> = {};
  const body =
    '--b\r\nContent-Disposition: form-data; name="file.first_frame"; filename="a.png"\r\n' +
    'Content-Type: image/png\r\n\r\nx\r\n--b--\r\n';
  const req = Object.assign(Readable.from([Buffer.from(body)]), {
    headers: { 'content-type': 'multipart/form-data; boundary=b', 'content-length': '140' },
  });
  const state = { account: { id: 'acct_1', status: 'active' } } as unknown as SiteContext['state'];
  const set = (name: string, value: string) => void (headers[name] = value);
  const deps = {
    attempts: { count: async () => ({ count: 1, endsAt: 0 }) },
    clock: { now: () => 0 },
    random: { newId: () => 'upl_1' },
    storeUpload: async () => taken,
    publicUrls: { mediaUrl: '' },
  };
  const site = { deps, allowances: { take: () => null } };
  const receive = receiveUploads(site as never);
  const form = await receive({ path: '/studio', req, state, set } as never, () => undefined);
  return { form, headers, problem: state.inputProblems['first_frame'] };
}

describe('a file without a free slot', () => {
  test('is reported at its field, with the time to retry', async () => {
    const { headers, problem } = await send({ ok: false, problem: 'busy', retryAfterSeconds: 10 });
    expect(headers).toEqual({ 'Retry-After': '10' });
    expect(problem).toMatchObject({
      status: 503,
      message: expect.stringContaining('Choose your file again'),
    });
  });

  test('because of its slow upload ends its form immediately, and states the required speed', async () => {
    const sent = send({ ok: false, problem: 'too_slow', bytesPerSecond: 64_000 });
    await expect(sent).rejects.toMatchObject({
      code: 'file_too_slow',
      values: { kilobytes: 64 },
    });
  });
});
