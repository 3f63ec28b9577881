import { describe, expect, test } from '@jest/globals';
import { exampleRecords } from '../openapi/exampleRecords.ts';
import { generationSchema, validateBody } from './index.ts';

const records = exampleRecords('https://api.example.com/v1');
const fits = (record: unknown) => validateBody(generationSchema, record).ok;

describe('a generation record', () => {
  test.each(Object.entries(records))('%s fits', (_, record) => {
    expect(validateBody(generationSchema, record)).toEqual({ ok: true, value: record });
  });

  test('with deleted files fits', () => {
    const output = {
      urls: [],
      expires_at: '2026-11-27T09:31:51.000Z',
      deleted_at: '2026-11-27T09:31:51.000Z',
    };
    expect(fits({ ...records.completed_video, output })).toBe(true);
    expect(fits({ ...records.completed_image, output: { ...output, image_urls: [] } })).toBe(true);
  });

  const { completed_video: completed, queued, failed } = records;
  const { output } = completed;
  const { retry_after_seconds, ...withoutHint } = queued;
  const { completed_at, ...withoutEnd } = completed;
  test.each([
    ['queued without a hint', withoutHint],
    ['queued with files', { ...queued, output }],
    ['queued and ended', { ...queued, completed_at }],
    ['queued and refunded', { ...queued, billing: { ...queued.billing, status: 'refunded' } }],
    ['completed with a hint', { ...completed, retry_after_seconds }],
    ['completed without an end', withoutEnd],
    ['completed with an error', { ...completed, error: failed.error }],
    ['a video with image URLs', { ...completed, output: { ...output, image_urls: [] } }],
    [
      'a video without its URL',
      { ...completed, output: { urls: output.urls, expires_at: output.expires_at } },
    ],
    [
      'an image with the parameters of a video',
      { ...records.completed_image, parameters: completed.parameters },
    ],
    ['failed and charged', { ...failed, billing: completed.billing }],
    [
      'failed with a code of no failure',
      { ...failed, error: { ...failed.error, code: 'rate_limited' } },
    ],
    ['with the prompt', { ...queued, prompt: 'x' }],
    ['with a time in another zone', { ...queued, created_at: '2026-11-20T09:30:00+00:00' }],
    ['with an id of another kind', { ...queued, id: 'req_01kagw2m5t9x3q7r8v4c6e0hjn' }],
    ['in an unknown state', { ...queued, status: 'cancelled' }],
  ])('does not fit: %s', (_, record) => {
    expect(fits(record)).toBe(false);
  });
});
