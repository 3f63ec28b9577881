import { relative } from 'node:path';
import type { AggregatedResult } from '@jest/test-result';

/** A reporter that ends a run with the skipped tests; their names contain the reason (`testIf.ts`). */
export default class SkipList {
  onRunComplete(_contexts: unknown, { testResults }: AggregatedResult): void {
    for (const { testFilePath, testResults: tests } of testResults) {
      const skipped = tests.filter(({ status }) => status === 'pending');
      for (const { ancestorTitles, title } of skipped) {
        const name = [...ancestorTitles, title].join(' > ');
        process.stderr.write(`SKIPPED ${relative(process.cwd(), testFilePath)} > ${name}\n`);
      }
    }
  }
}
