import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { quoteForShell } from './quoteForShell.ts';

test.each(["a b'c$d", '`id`', '$(id)', '"', '\\', '', '~', '*', 'line\nbreak', "'", '--', 'a;b'])(
  'the shell reads %j unchanged',
  (word) => {
    const script = `printf %s "$(printf '%s.' ${quoteForShell(word)})"`;
    expect(execFileSync('sh', ['-c', script], { encoding: 'utf8' })).toBe(`${word}.`);
  },
);

test('a plain word stays as it is', () => {
  expect(quoteForShell('http://127.0.0.1:8080/v1/videos')).toBe('http://127.0.0.1:8080/v1/videos');
});
