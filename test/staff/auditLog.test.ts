import { beforeAll, describe, expect, test } from '@jest/globals';
import { runAction } from '../../gateway/src/application/staff/runAction.ts';
import { actor } from './openStaff.ts';
import { type StaffWorld, useStaff } from './staffWorld.ts';

const world = useStaff();
let { staff } = {} as StaffWorld;
beforeAll(() => {
  ({ staff } = world());
});

describe('the audit log', () => {
  const plan = { targets: ['gen_audited'], reason: 'a test', formId: null };

  test('records an action before it is done, and its result', async () => {
    const seen: string[] = [];
    const result = await runAction(staff, actor, { ...plan, action: 'poll now' }, async () => {
      const [entry] = await staff.audit.search('gen_audited', null, 1);
      seen.push(String(entry?.outcome));
      return 'looked';
    });
    expect([result, ...seen]).toEqual(['looked', 'begun']);
    const [entry] = await staff.audit.search(actor.email, null, 1);
    expect(entry).toMatchObject({ action: 'poll now', outcome: 'done', result: 'looked' });
  });

  test('acts on a form once', async () => {
    let done = 0;
    const once = () =>
      runAction(staff, actor, { ...plan, action: 'poll now', formId: 'form 1' }, async () => {
        done += 1;
        return 'done';
      });
    const both = await Promise.allSettled([once(), once()]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(done).toBe(1);
  });

  test('refuses actions that the role may not take, and records the refusal', async () => {
    const work = async () => {
      throw new Error('was done');
    };
    const attempt = runAction(staff, actor, { ...plan, action: 'erase account' }, work);
    await expect(attempt).rejects.toMatchObject({ code: 'role_lacks_right' });
    const [entry] = await staff.audit.search('erase account', null, 1);
    expect(entry).toMatchObject({ outcome: 'refused', accountId: actor.accountId });
  });
});
