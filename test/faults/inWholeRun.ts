import { describeIf, testIf } from '../support/testIf.ts';
import { isWholeRun } from './wholeRun.ts';

const reason = 'it is for npm run faults -- --cases';

/** Tests for the full run alone: they take long, or need more of the machine. */
export const testInWholeRun = testIf(isWholeRun(), reason);
export const describeInWholeRun = describeIf(isWholeRun(), reason);
