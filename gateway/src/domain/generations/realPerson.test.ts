import { describe, expect, test } from '@jest/globals';
import {
  catalogue,
  type ComplianceBody,
  type CreateVideoBody,
  type VideoInputBody,
  type VideoMode,
  type VideoModel,
  videoModes,
} from '@framegate/contract';
import { createVideoSchema, validateBody } from '@framegate/contract/schemas';
import { Refusal } from '../refusal.ts';
import type { Generation } from './generation.ts';
import {
  type RealPersonAudit,
  realPersonAuditOf,
  realPersonCsvHeading,
  realPersonCsvLine,
  requireRealPersonAllowed,
} from './realPerson.ts';
import { resolveVideoRequest } from './requestRules.ts';

const image: VideoInputBody = { type: 'image', url: 'https://a.example/x' };
const models = catalogue.filter((model): model is VideoModel => model.type === 'video');
const asked = [undefined, false, true, 'yes', null];

interface Compliance {
  name: string;
  value: unknown;
  /** Whether the schema accepts it. */
  lawful: boolean;
  consent: boolean;
}
const compliances: Compliance[] = [
  { name: 'none', value: undefined, lawful: true, consent: false },
  { name: 'null', value: null, lawful: false, consent: false },
  { name: 'a list', value: [], lawful: false, consent: false },
  { name: 'empty', value: {}, lawful: true, consent: false },
  { name: 'confirmed only', value: { rights_confirmed: true }, lawful: true, consent: false },
  { name: 'reference only', value: { consent_reference: 'r-1' }, lawful: true, consent: false },
  {
    name: 'denied',
    value: { rights_confirmed: false, consent_reference: 'r-1' },
    lawful: true,
    consent: false,
  },
  {
    name: 'complete',
    value: { rights_confirmed: true, consent_reference: 'r-1' },
    lawful: true,
    consent: true,
  },
  {
    name: 'an empty reference',
    value: { rights_confirmed: true, consent_reference: '' },
    lawful: false,
    consent: false,
  },
  {
    name: 'a strange reference',
    value: { rights_confirmed: true, consent_reference: 'r 1' },
    lawful: false,
    consent: false,
  },
  {
    name: 'a number as reference',
    value: { rights_confirmed: true, consent_reference: 1 },
    lawful: false,
    consent: false,
  },
  {
    name: 'confirmed in words',
    value: { rights_confirmed: 'true', consent_reference: 'r-1' },
    lawful: false,
    consent: false,
  },
  {
    name: 'a further field',
    value: { rights_confirmed: true, consent_reference: 'r-1', by: 'x' },
    lawful: false,
    consent: false,
  },
];

/** The documented rule, in its order. */
function expected(
  model: VideoModel,
  mode: VideoMode,
  wish: unknown,
  compliance: Compliance,
): string {
  const shapes = compliance.lawful && (wish === undefined || typeof wish === 'boolean');
  if (!shapes || (compliance.value !== undefined && wish !== true) || !model.modes.includes(mode)) {
    return 'invalid_request';
  }
  if (wish !== true) return 'no use';
  const permitted = ['alpha-2.0-pro', 'alpha-2.0-fast', 'alpha-2.0-mini'].includes(model.id);
  if (!permitted || mode === 'text-to-video') return 'real_person_not_allowed';
  return compliance.consent ? 'use of r-1' : 'consent_required';
}

/** The checks in the order of the pipeline (input URLs and hosts come between the last two). */
function judged(model: VideoModel, mode: VideoMode, wish: unknown, compliance: Compliance): string {
  const checked = validateBody(createVideoSchema, {
    model: model.id,
    mode,
    prompt: 'A presenter.',
    inputs: mode === 'text-to-video' ? [] : [image],
    ...(wish === undefined ? {} : { parameters: { real_person_mode: wish } }),
    ...(compliance.value === undefined ? {} : { compliance: compliance.value }),
  });
  if (!checked.ok) return 'invalid_request';
  try {
    resolveVideoRequest(model, checked.value);
    const use = requireRealPersonAllowed(model, checked.value);
    return use === undefined ? 'no use' : `use of ${use.consentReference}`;
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

describe('real-person mode', () => {
  const cases = models.flatMap((model) =>
    videoModes.map((mode) => ({ id: model.id, mode, model })),
  );

  test.each(cases)('$id, $mode: any wish with any compliance', ({ model, mode }) => {
    for (const wish of asked) {
      for (const compliance of compliances) {
        const situation = `${wish}, ${compliance.name}: `;
        expect(situation + judged(model, mode, wish, compliance)).toBe(
          situation + expected(model, mode, wish, compliance),
        );
      }
    }
  });

  test('each outcome is among the combinations', () => {
    const outcomes = cases.flatMap(({ model, mode }) =>
      asked.flatMap((wish) => compliances.map((each) => judged(model, mode, wish, each))),
    );
    const counts = Map.groupBy(outcomes, (outcome) => outcome);
    expect([...counts.keys()].toSorted()).toEqual([
      'consent_required',
      'invalid_request',
      'no use',
      'real_person_not_allowed',
      'use of r-1',
    ]);
    expect(counts.get('use of r-1')).toHaveLength(6);
  });

  test.each<[ComplianceBody | undefined, string[]]>([
    [undefined, ['compliance.rights_confirmed', 'compliance.consent_reference']],
    [{ rights_confirmed: true }, ['compliance.consent_reference']],
    [{ rights_confirmed: false, consent_reference: 'r' }, ['compliance.rights_confirmed']],
  ])('consent_required names the missing parts: %j', (compliance, params) => {
    const body: CreateVideoBody = {
      model: 'alpha-2.0-pro',
      mode: 'image-to-video',
      prompt: 'x',
      inputs: [image],
      parameters: { real_person_mode: true },
    };
    if (compliance !== undefined) body.compliance = compliance;
    const model = models.find(({ id }) => id === body.model);
    if (model === undefined) throw new Error('no such model');
    const error = refusalOf(() => requireRealPersonAllowed(model, body));
    expect(error).toMatchObject({ code: 'consent_required', param: params[0] });
    expect(error.details.map(({ param }) => param)).toEqual(params);
  });
});

function refusalOf(act: () => unknown): Refusal {
  try {
    act();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

const generation = {
  id: 'gen_1',
  accountId: 'acct_1',
  keyId: 'key_1',
  requestId: 'req_1',
  model: 'alpha-2.0-pro',
  mode: 'image-to-video',
  createdAt: Date.UTC(2026, 0, 1),
  realPerson: { consentReference: 'c-1', policyVersion: '1', callerAddress: '192.0.2.1' },
  inputs: [{ type: 'image', role: 'first_frame', url: 'https://a.example/x', ownOutput: null }],
} as unknown as Generation;

describe('the audit record of real-person mode', () => {
  test('has the account, the time, the rules and the consent, but no input URL', () => {
    const audit = realPersonAuditOf(generation, 1000);
    expect(audit).toEqual({
      id: 'gen_1',
      at: generation.createdAt,
      accountId: 'acct_1',
      keyId: 'key_1',
      requestId: 'req_1',
      model: 'alpha-2.0-pro',
      mode: 'image-to-video',
      policyVersion: '1',
      consentReference: 'c-1',
      callerAddress: '192.0.2.1',
      inputs: [{ type: 'image', role: 'first_frame', sha256: null }],
      keptUntil: generation.createdAt + 1000,
    });
  });

  test('exists only for the mode', () => {
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
    expect(line).toContain('first_frame=not copied');
  });

  test.each([
    ['-1+1', "'-1+1"],
    ['=cmd', "'=cmd"],
    ['a,b', '"a,b"'],
    ['a"b', '"a""b"'],
    ['plain:1/2', 'plain:1/2'],
  ])('a consent reference %s is written as %s: no formula, no further cell', (reference, cell) => {
    const line = realPersonCsvLine({ ...audit, consentReference: reference });
    expect(line).toContain(`,${cell},`);
  });
});
