import type { OrderedFilm } from '../sampleMedia.ts';

/** A task's course: so many looks find it unfinished, then it ends. */
export interface Plan {
  looks: number;
  /** Before so many ms from its acceptance are over it does not end, however often it is looked at. */
  afterMs?: number;
  end:
    | 'succeeded'
    | 'failed'
    | 'cancelled'
    | 'expired'
    | 'succeeded without a video'
    | 'never'
    | 'never begun';
  /** How its film differs from the order. */
  film?: Partial<OrderedFilm>;
  /** The provider's error of a failed task. */
  error?: { code: string; message: string };
}

/** The fake's behaviour instead of its duty. */
export type Fault =
  /** An error in ModelArk's own form. */
  | { kind: 'error'; status: number; code: string; message?: string; retryAfter?: string }
  /** A page of a proxy in between. */
  | { kind: 'html'; status: number }
  | { kind: 'json'; status: number; body: unknown }
  | { kind: 'empty'; status: number }
  /** Closes the connection without an answer. */
  | { kind: 'drop' }
  /** Begins an answer and closes the connection. */
  | { kind: 'cut' }
  /** Never answers. */
  | { kind: 'hang' }
  /** Does its duty later. */
  | { kind: 'slow'; ms: number }
  /** Submits only: does its duty, and then the fault. */
  | { kind: 'accept, then'; fault: Exclude<Fault, { kind: 'accept, then' | 'slow' }> }
  /** Media only: bytes without an end, or another address. */
  | { kind: 'endless' }
  | { kind: 'redirect'; to: string };

/** One line of a script. The first one that fits a request and is not used up decides. */
export type Rule = {
  /** Only requests about tasks whose prompt has this part. */
  prompt?: string;
  /** How many requests it decides; by default all. */
  times?: number;
} & ({ on: 'submit' | 'look' | 'list' | 'media'; fault: Fault } | { on: 'task'; plan: Plan });

/** The plan of a task that no rule speaks of. */
const usualPlan: Plan = { looks: 1, end: 'succeeded' };

/** Rules with how often each may still decide. */
export function createScript() {
  let rules: { rule: Rule; left: number }[] = [];
  function take(on: Rule['on'], prompt: string): Rule | undefined {
    const found = rules.find(
      ({ rule, left }) =>
        rule.on === on && left > 0 && (rule.prompt === undefined || prompt.includes(rule.prompt)),
    );
    if (found) found.left -= 1;
    return found?.rule;
  }
  return {
    add(...added: Rule[]): void {
      rules.push(...added.map((rule) => ({ rule, left: rule.times ?? Infinity })));
    },
    clear(): void {
      rules = [];
    },
    faultFor(on: 'submit' | 'look' | 'list' | 'media', prompt: string): Fault | undefined {
      const rule = take(on, prompt);
      return rule && 'fault' in rule ? rule.fault : undefined;
    },
    planFor(prompt: string): Plan {
      const rule = take('task', prompt);
      return rule && 'plan' in rule ? rule.plan : usualPlan;
    },
  };
}
