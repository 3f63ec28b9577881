import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { AggregatedResult, Test, TestResult } from '@jest/test-result';

/** The longest that is kept of one message, in characters. */
const longest = 2_000;

/**
 * A reporter that adds the failed tests to the file in FAILED_TESTS, with their messages, and their files to that
 * in FAILED_FILES, as lines of project and path: CI closes with the one and runs the other once more.
 */
export default class FailureList {
  onTestResult({ context, path }: Test, { numFailingTests, failureMessage }: TestResult): void {
    const file = process.env['FAILED_FILES'];
    if (!file || (numFailingTests === 0 && !failureMessage)) return;
    appendFileSync(
      file,
      `${context.config.displayName?.name ?? ''} ${relative(process.cwd(), path)}\n`,
    );
  }

  onRunComplete(_contexts: unknown, { testResults }: AggregatedResult): void {
    const file = process.env['FAILED_TESTS'];
    if (file) appendFileSync(file, testResults.flatMap(failuresOf).join(''));
  }
}

function failuresOf({ testFilePath, testResults, failureMessage }: TestResult): string[] {
  const path = relative(process.cwd(), testFilePath);
  const failed = testResults.filter(({ status }) => status === 'failed');
  const entry = (name: string, message: string) =>
    `FAILED ${path}${name}\n${plain(message).slice(0, longest)}\n`;
  // Without a test in it, the file itself has failed.
  if (failed.length === 0) return failureMessage ? [entry('', failureMessage)] : [];
  return failed.map(({ ancestorTitles, title, failureMessages }) =>
    entry(` > ${[...ancestorTitles, title].join(' > ')}`, failureMessages.join('\n')),
  );
}

/** Without the colours of a terminal. */
const plain = (text: string) => text.replace(/\u001B\[[0-9;]*m/g, '');
