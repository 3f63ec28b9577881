import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { AggregatedResult, Test, TestResult } from '@jest/test-result';

/** Maximum characters kept of one message. */
const longest = 2_000;

/**
 * A reporter that adds the failed tests and their messages to the file in FAILED_TESTS, and their files to the one in
 * FAILED_FILES, as lines of project and path: CI ends with the former and reruns the latter.
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
  // Without a failed test, the file itself has failed.
  if (failed.length === 0) return failureMessage ? [entry('', failureMessage)] : [];
  return failed.map(({ ancestorTitles, title, failureMessages }) =>
    entry(` > ${[...ancestorTitles, title].join(' > ')}`, failureMessages.join('\n')),
  );
}

/** Strips terminal colours. */
const plain = (text: string) => text.replace(/\u001B\[[0-9;]*m/g, '');
