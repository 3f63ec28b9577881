import { afterAll, describe, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import type { CrashReport } from './crashReport.ts';
import { faultPoints, type Plan, runCrashRounds } from './crashRounds.ts';

const databases: TestDatabase[] = [];
afterAll(() => Promise.all(databases.map((each) => each.drop())));

const seed = 20_261_121;

/** Problems; every kill must have succeeded, and every generation must have ended. */
function judge(report: CrashReport, kills: Record<string, number>): void {
  expect(report.wrong).toEqual([]);
  expect(report.kills).toEqual(kills);
  expect(report.completed + report.failed).toBe(report.generations);
}

describe('gateway processes killed while clients repeat their requests', () => {
  const play = (plans: readonly Plan[]) => {
    const database = createTestDatabase();
    databases.push(database);
    return runCrashRounds({
      uri: database.uri,
      seed,
      rounds: plans.length,
      plans,
      processes: 2,
      clients: 3,
      checkEvery: plans.length,
    });
  };

  /** A plan for each step, so that each kill is counted separately. */
  const killsOf = (plans: readonly Plan[]) => {
    const kills: Record<string, number> = {};
    for (const plan of plans) {
      const at = 'action' in plan ? `staff: ${plan.action}` : plan.point;
      kills[at] = (kills[at] ?? 0) + 1;
    }
    return kills;
  };

  test('at every labelled step nothing is lost, and nothing charged or refunded twice', async () => {
    const plans = faultPoints.map((point): Plan => ({ point, kinds: ['text to video'] }));
    judge(await play(plans), killsOf(plans));
  });

  test('images are bought once, and delivered completely or refunded completely', async () => {
    const kinds = ['image', 'own picture to image'] as const;
    const points = [
      'submit.beforeProvider',
      'submit.afterProvider',
      'arrive.afterStored',
      'arrive.afterNoted',
      'complete.afterStored',
    ] as const;
    const plans = points.map((point): Plan => ({ point, kinds }));
    const report = await play(plans);
    judge(report, killsOf(plans));
    expect(report.kinds['image']?.failed).toBeGreaterThan(0);
  });

  test('inputs that were stored before a crash are used or removed', async () => {
    const points = ['inputs.afterStored', 'inputs.afterStored', 'submit.beforeProvider'] as const;
    const kinds = ['picture to video', 'own picture to video'] as const;
    const plans = points.map((point): Plan => ({ point, kinds }));
    judge(await play(plans), killsOf(plans));
  });

  test('actions of staff take effect once, or not at all', async () => {
    const plans: Plan[] = [
      { action: 'fail and refund', dies: 'end.beforeTransaction' },
      { action: 'fail and refund', dies: 'end.beforeJobRemoval' },
      { action: 'resolve unknown', dies: 5 },
      { action: 'poll now', dies: 3 },
      { action: 'goodwill credits', dies: 3 },
      { action: 'goodwill credits', dies: 150 },
    ];
    const report = await play(plans);
    judge(report, killsOf(plans));
    expect(report.staff['fail and refund']).toEqual({ rounds: 2, unanswered: 2 });
  });
});
