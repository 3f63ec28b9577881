import { describe, expect, test } from 'vitest';
import type { Generation } from './generation.ts';
import {
  realPersonAuditOf,
  realPersonCsvHeading,
  realPersonCsvLine,
  type RealPersonAudit,
} from './realPersonAudit.ts';

const generation = {
  ...{ id: 'gen_1', accountId: 'acct_1', keyId: 'key_1', requestId: 'req_1' },
  ...{ model: 'alpha-2.0-pro', mode: 'image-to-video', createdAt: Date.UTC(2026, 0, 1) },
  realPerson: { consentReference: 'c-1', policyVersion: '1', callerAddress: '192.0.2.1' },
  inputs: [{ type: 'image', role: 'first_frame', url: 'https://a.example/x', ownOutput: null }],
} as unknown as Generation;

describe('the audit record of real-person mode', () => {
  test('says who, when, under which rules and whose consent, but not where the input was', () => {
    const audit = realPersonAuditOf(generation, 1000);
    expect(audit).toEqual({
      ...{ id: 'gen_1', at: generation.createdAt, accountId: 'acct_1', keyId: 'key_1' },
      ...{ requestId: 'req_1', model: 'alpha-2.0-pro', mode: 'image-to-video' },
      ...{ policyVersion: '1', consentReference: 'c-1', callerAddress: '192.0.2.1' },
      inputs: [{ type: 'image', role: 'first_frame', sha256: null }],
      keptUntil: generation.createdAt + 1000,
    });
  });

  test('is there only for the mode', () => {
    expect(realPersonAuditOf({ ...generation, realPerson: null }, 1000)).toBeUndefined();
  });
});

describe('as CSV', () => {
  const audit = realPersonAuditOf(generation, 1000) as RealPersonAudit;
  test('it has as many cells as its heading', () => {
    const line = realPersonCsvLine(audit);
    expect(line.endsWith('\r\n')).toBe(true);
    expect(line.split(',')).toHaveLength(realPersonCsvHeading.split(',').length);
    expect(line).toContain('2026-01-01T00:00:00.000Z,gen_1,acct_1,key_1,req_1,alpha-2.0-pro,');
    expect(line).toContain('first_frame=not taken over');
  });

  test.each([
    ['-1+1', `"'-1+1"`],
    ['=cmd', `"'=cmd"`],
    ['a,b', '"a,b"'],
    ['a"b', '"a""b"'],
    ['plain:1/2', 'plain:1/2'],
  ])('a consent reference %s is written as %s: no formula, no further cell', (reference, cell) => {
    const line = realPersonCsvLine({ ...audit, consentReference: reference });
    expect(line).toContain(`,${cell},`);
  });
});
