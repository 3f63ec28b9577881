import { expect, test } from '@jest/globals';
import { errorCodes, failureCodes } from '@framegate/contract';
import { failureSentences, refusalSentences } from '../../integrations/zapier/src/sentences.ts';
import { refusal, runLight, wholeApi } from './support/lightSteps.ts';

/** Programmers' words, which users of forms should never read. */
const technical =
  /GET \/|Allow header|Authorization|Bearer|Content-Type|Idempotency-Key|JSON|Retry-After|UTF-8|compliance|details|\b(?:body|header|path)\b/;

/** An action that a person in Zapier can take. */
const something =
  /\b(?:Add|Ask|Change|Choose|Contact|Fill in|Make sure|Map|Open|Raise|Replay|Request|Shorten|Use|use) /;

test.each(Object.keys(errorCodes))('refusal %s names the remedy in the words of Zapier', (code) => {
  const sentence = refusalSentences[code as keyof typeof errorCodes];
  expect(sentence).not.toMatch(technical);
  // The fields at fault follow this one.
  if (code !== 'invalid_request') expect(sentence).toMatch(something);
});

test.each(Object.keys(failureCodes))(
  'failure %s names the remedy in the words of Zapier',
  (code) => {
    const sentence = failureSentences[code as keyof typeof failureCodes];
    expect(sentence).not.toMatch(technical);
    expect(sentence).toMatch(something);
  },
);

test.each(Object.entries(errorCodes).filter(([, { status }]) => status < 429))(
  'a step that is refused with %s uses no word of programmers',
  async (code, { status }) => {
    const order = { model: 'image-b-2', prompt: 'A cup' };
    const { outcome } = await runLight('create_image', order, (request, body) =>
      request === 'POST /images' ? [status, refusal(code)] : wholeApi(request, body),
    );
    expect(outcome).toMatchObject({ message: expect.not.stringMatching(technical) });
  },
);
