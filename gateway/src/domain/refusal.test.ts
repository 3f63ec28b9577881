import { describe, expect, test } from '@jest/globals';
import { errorCodes, type Problem } from '@framegate/contract';
import { invalidRequestRefusal, Refusal } from './refusal.ts';

describe('a refusal', () => {
  test("has the catalogue's text for its code", () => {
    const refusal = new Refusal('rate_limited');
    expect(refusal).toBeInstanceOf(Error);
    expect(refusal.message).toBe(errorCodes.rate_limited.message);
    expect(refusal).toMatchObject({ name: 'Refusal', code: 'rate_limited', details: [] });
    expect([refusal.param, refusal.credits, refusal.retryAfterSeconds]).toEqual(
      Array.from({ length: 3 }),
    );
    expect(refusal.headers).toEqual({});
  });

  test('carries its details', () => {
    const options = {
      message: 'Too little.',
      param: 'x',
      details: [{ param: 'x', code: 'y', message: 'z' }],
      credits: { required: 70, available: 12 },
      retryAfterSeconds: 3,
      headers: { Allow: 'GET' },
    };
    expect(new Refusal('insufficient_credits', options)).toMatchObject(options);
  });
});

describe('the refusal of a body', () => {
  const first: Problem = { param: 'prompt', code: 'required', message: 'This field is required.' };
  const second: Problem = { param: 'seed', code: 'out_of_range', message: 'Too small.' };

  test('has the first problem in its message and all of them in its details', () => {
    expect(invalidRequestRefusal([first])).toMatchObject({
      code: 'invalid_request',
      param: 'prompt',
      message: 'prompt: This field is required.',
      details: [first],
    });
    expect(invalidRequestRefusal([first, second])).toMatchObject({
      message: 'prompt: This field is required. (1 more in details)',
      details: [first, second],
    });
  });

  test('without a problem is a bug', () => {
    expect(() => invalidRequestRefusal([])).toThrow('a refusal needs a problem');
  });
});
