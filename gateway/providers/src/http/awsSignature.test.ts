import { expect, test } from '@jest/globals';
import { signedByAws } from './awsSignature.ts';

/* The test suite that AWS publishes with Signature Version 4 ("aws-sig-v4-test-suite"). */

const present = signedByAws(
  { type: 'aws-sigv4', service: 'service', region: 'us-east-1' },
  'AKIDEXAMPLE:wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  () => Date.parse('2015-08-30T12:36:00Z'),
);
const signatureOf = async (method: string, path: string, headers = {}, body?: string) => {
  const url = `https://example.amazonaws.com${path}`;
  const { headers: own } = await present({ method, url, headers: new Headers(headers), body });
  return own['authorization'];
};
const form = { 'content-type': 'application/x-www-form-urlencoded' };

test.each([
  ['get-vanilla', ['GET', '/'], '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
  [
    'get-vanilla-query-order-key-case',
    ['GET', '/?Param2=value2&Param1=value1'],
    'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
  ],
  [
    'post-vanilla',
    ['POST', '/'],
    '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
  ],
  [
    'post-x-www-form-urlencoded',
    ['POST', '/', form, 'Param1=value1'],
    'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
  ],
] as const)('%s has the published signature', async (_, request, signature) => {
  const [method, path, headers, body] = request;
  const names = headers ? 'content-type;host;x-amz-date' : 'host;x-amz-date';
  expect(await signatureOf(method, path, headers, body)).toBe(
    `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, ` +
      `SignedHeaders=${names}, Signature=${signature}`,
  );
});
