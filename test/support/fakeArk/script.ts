import type { OrderedFilm } from '../sampleMedia.ts';

/** A task's course: a number of polls find it unfinished, then it ends. */
export interface Plan {
  polls: number;
  /** It does not end earlier than this many ms after its acceptance, however often it is polled. */
  afterMs?: number;
  end:
    | 'succeeded'
    | 'failed'
    | 'cancelled'
    | 'expired'
    | 'succeeded without a video'
    | 'never'
    | 'never begun';
  /** The difference between its video and the order. */
  film?: Partial<OrderedFilm>;
  /** The provider's error of a failed task. */
  error?: { code: string; message: string };
}

/** The fake's behaviour instead of a correct response. */
export type Fault =
  /** An error in ModelArk's own form. */
  | { kind: 'error'; status: number; code: string; message?: string; retryAfter?: string }
  /** A page from a proxy in between. */
  | { kind: 'html'; status: number }
  | { kind: 'json'; status: number; body: unknown }
  | { kind: 'empty'; status: number }
  /** Closes the connection without a response. */
  | { kind: 'drop' }
  /** Starts a response and closes the connection. */
  | { kind: 'cut' }
  /** Never answers. */
  | { kind: 'hang' }
  /** Answers correctly, but late. */
  | { kind: 'slow'; ms: number }
  /** Submissions only: acts correctly, then plays the fault. */
  | { kind: 'accept, then'; fault: Exclude<Fault, { kind: 'accept, then' | 'slow' }> }
  /** Media only: endless bytes, or another URL. */
  | { kind: 'endless' }
  | { kind: 'redirect'; to: string };

/** One line of a script. The first matching line that is not used up decides. */
export type Rule = {
  /** Only requests about tasks whose prompt contains this text. */
  prompt?: string;
  /** Number of requests that it decides; all by default. */
  times?: number;
} & ({ on: 'submit' | 'poll' | 'list' | 'media'; fault: Fault } | { on: 'task'; plan: Plan });

/** The plan of a task without a matching rule. */
const defaultPlan: Plan = { polls: 1, end: 'succeeded' };

/** Rules, each with its remaining number of uses. */
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
    faultFor(on: 'submit' | 'poll' | 'list' | 'media', prompt: string): Fault | undefined {
      const rule = take(on, prompt);
      return rule && 'fault' in rule ? rule.fault : undefined;
    },
    planFor(prompt: string): Plan {
      const rule = take('task', prompt);
      return rule && 'plan' in rule ? rule.plan : defaultPlan;
    },
  };
}
