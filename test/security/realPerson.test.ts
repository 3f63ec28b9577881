import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  sampleFolder,
  sampleHost,
  samplePictures,
} from '../../gateway/src/adapters/net/sampleHost.ts';
import type { RealPersonAudit } from '../../gateway/src/domain/generations/realPerson.ts';
import { imageInput, video } from '../support/bodies.ts';
import type { TestAccount } from '../support/gateway.ts';
import { runAdminHere } from '../support/runAdminHere.ts';
import { type ArkGateway, useArkGateway } from '../support/useArkGateway.ts';

/*
 * The attack: a likeness is used without consent, or without a record of the person who vouched for it. One table has
 * every combination of model, mode and compliance.
 */

const models = [
  'alpha-2.5',
  'alpha-2.5-lite',
  'alpha-2.0-pro',
  'alpha-2.0-fast',
  'alpha-2.0-mini',
  'beta-3.0',
] as const;
const permitted: readonly string[] = models.slice(2, 5);
/** They take no references: a mode that a model lacks is an invalid form and precedes every other rule. */
const withoutReferences: readonly string[] = ['alpha-2.5-lite', 'beta-3.0'];
const modes = ['text-to-video', 'image-to-video', 'multimodal-to-video'] as const;
const consent = { rights_confirmed: true, consent_reference: 'case/2026-1' };
/** Compliance as sent, and whether it is complete. */
const compliances = {
  none: [undefined, false],
  'rights alone': [{ rights_confirmed: true }, false],
  'reference alone': [{ consent_reference: 'case/2026-1' }, false],
  'rights refused': [{ ...consent, rights_confirmed: false }, false],
  whole: [consent, true],
} as const;

const url = `https://${sampleHost}/${samplePictures[0]}`;
const table = models.flatMap((model) =>
  modes.flatMap((mode) =>
    Object.entries(compliances).flatMap(([name, [compliance, isWhole]]) =>
      [true, false].map((asked) => {
        const inputs = { inputs: mode === 'text-to-video' ? undefined : [imageInput(url)] };
        const body = video({
          model,
          mode,
          ...inputs,
          compliance,
          parameters: { real_person_mode: asked },
        });
        const lacks = mode === 'multimodal-to-video' && withoutReferences.includes(model);
        const allowed = permitted.includes(model) && mode !== 'text-to-video';
        const whenAsked = !allowed
          ? 'real_person_not_allowed'
          : isWhole
            ? 'ok'
            : 'consent_required';
        const isWrong = lacks || (!asked && compliance !== undefined);
        const response = isWrong ? 'invalid_request' : asked ? whenAsked : 'ok';
        return {
          title: `${model} ${mode} ${asked ? 'asked' : 'not asked'} ${name}`,
          body,
          response,
        };
      }),
    ),
  ),
);

const world = useArkGateway({ env: { TRUST_PROXY: '1' } });
let { ark, gateway } = {} as ArkGateway;
let account: TestAccount;
const audits = async (): Promise<RealPersonAudit[]> => {
  const found = [];
  for await (const audit of gateway.database.realPersonAudit.listSince(0)) {
    if (audit.accountId === account.accountId) found.push(audit);
  }
  return found;
};
const spent = async (): Promise<number> => {
  const ledger = await gateway.database.ledger.find(account.accountId);
  const charges = ledger.filter(({ kind }) => kind === 'charge');
  return charges.reduce((sum, { amount }) => sum - amount, 0);
};
beforeAll(async () => {
  ({ ark, gateway } = world());
  account = await gateway.addAccount({
    credits: 1_000_000,
    hosts: [sampleHost],
    limits: { running: 1, waiting: 1000 },
  });
});

describe('the audit record', () => {
  test('has the hashes of the inputs once they are copied, and is exported as CSV', async () => {
    const other = await gateway.addAccount({ hosts: [sampleHost] });
    const body = video({
      model: 'alpha-2.0-pro',
      mode: 'image-to-video',
      inputs: [imageInput(url)],
      parameters: { real_person_mode: true },
      compliance: { rights_confirmed: true, consent_reference: '-release:7' },
    });
    const created = await other.post('/v1/videos', body, { 'x-forwarded-for': '192.0.2.77' });
    expect(created.status).toBe(202);
    const id = String(created.json['id']);
    await other.untilEnded(id);
    const exported = await runAdminHere(['real-person', 'export'], gateway.env);
    expect(exported).toMatchObject({ status: 0, stderr: '' });
    const bytes = readFileSync(join(sampleFolder, samplePictures[0]));
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const line = exported.stdout.split('\r\n').find((each) => each.includes(id));
    expect(line).toContain(`,'-release:7,192.0.2.77,first_frame=${sha256}`);
    expect(line).toContain(`,${other.accountId},${other.keyId},`);
    const later = ['real-person', 'export', '--since', '2100-01-01'];
    const none = await runAdminHere(later, gateway.env);
    expect(none.stdout.split('\r\n')).toHaveLength(2);
    // Neither the customer nor the provider receives any of it.
    expect((await other.get(`/v1/generations/${id}`)).text).not.toContain('release:7');
    expect(JSON.stringify(ark.submitted())).not.toContain('release:7');
  });

  test('is made once, however often a create is repeated', async () => {
    const before = (await audits()).length;
    const body = video({
      model: 'alpha-2.0-mini',
      mode: 'image-to-video',
      inputs: [imageInput(url)],
      parameters: { real_person_mode: true },
      compliance: consent,
    });
    const key = { 'idempotency-key': 'audited-once' };
    await Promise.all(Array.from({ length: 5 }, () => account.post('/v1/videos', body, key)));
    expect((await audits()).length).toBe(before + 1);
  });
});

describe('every combination of model, mode and compliance', () => {
  test('is answered as the table says, and charged only when it is accepted', async () => {
    const charged = { credits: 0 };
    const before = (await audits()).length;
    const balanceBefore = await spent();
    const wrong: string[] = [];
    for (const { title, body, response } of table) {
      const { status, json } = await account.post('/v1/videos', body);
      const { code } = (json['error'] ?? { code: 'ok' }) as { code: string };
      const expected = response === 'ok' ? [202] : response === 'invalid_request' ? [400] : [422];
      if (code !== response || !expected.includes(status)) {
        wrong.push(`${title}: ${status} ${code}`);
      }
      const billing = json['billing'] as { cost_credits: number } | undefined;
      charged.credits += status === 202 ? (billing?.cost_credits ?? 0) : 0;
    }
    expect(wrong).toEqual([]);
    expect((await spent()) - balanceBefore).toBe(charged.credits);
    const uses = table.filter(({ body, response }) => {
      const parameters = body['parameters'] as { real_person_mode: boolean };
      return response === 'ok' && parameters.real_person_mode;
    });
    expect(uses).toHaveLength(6);
    expect((await audits()).length - before).toBe(uses.length);
  });
});
