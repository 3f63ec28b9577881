import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { readText } from '../deploy/support/deployFiles.ts';
import { projectRoot } from '../support/runNode.ts';

/** Uses of SHA-1 that third-party protocols prescribe, in addition to app codes (RFC 6238) in otplib. */
const prescribed = {
  'gateway/src/adapters/system/passwords.ts': 'the range API of leaked passwords',
};

test('hashes are of the SHA-2 family; SHA-1 occurs only where a protocol requires it, MD5 nowhere', () => {
  const args = ['ls-files', '--', 'gateway/*.ts', 'shared/*.ts', 'deploy/*.js'];
  const files = execFileSync('git', args, { cwd: projectRoot }).toString().trim().split('\n');
  const hashes = files.flatMap((file) =>
    [...readText(file).matchAll(/\bcreateHash\(\s*'([\w-]+)'|\bcreateHmac\(\s*'([\w-]+)'/g)].map(
      ([, plain, keyed]) => [file, plain ?? keyed] as const,
    ),
  );
  expect(hashes.length).toBeGreaterThan(20);
  const others = hashes.filter(([, name]) => !/^sha(256|384|512)$/.test(name ?? ''));
  expect(others.map(([file]) => file).toSorted()).toEqual(Object.keys(prescribed).toSorted());
  expect(new Set(others.map(([, name]) => name))).toEqual(new Set(['sha1']));
});
