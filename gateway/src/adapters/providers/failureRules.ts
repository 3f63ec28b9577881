import type { FailureCode } from '@framegate/contract';
import type { ErrorRule } from './routesFile.ts';

/** When a provider said it: before it took the request, or about its work. */
export type FailureStage = 'submit' | 'work';

/**
 * A tested default: what matches means `code`; `content` is the provider's word on content without
 * saying whose, which is the input's at submit and the output's later.
 */
export interface DefaultRule {
  match: RegExp;
  code: FailureCode | 'content';
}

/** Words on content that many providers share; narrow, so that "unknown option safety_checker" is none. */
const commonRules: readonly DefaultRule[] = [
  {
    match: /may contain (a )?real (person|people)|real[- ]person|celebrit|public figure/i,
    code: 'real_person_rejected',
  },
  {
    match:
      /content[_ -]?(policy|moderation|filter)|moderation[_ ](blocked|failed|rejected)|safety (system|filter|policy|violation)|\bnsfw\b|flagged as (sensitive|inappropriate)|usage guidelines|responsible ai|inappropriate content|prohibited content/i,
    code: 'content',
  },
];

/**
 * What a provider's words mean to the customer: the operator's rules first, then the provider's
 * tested defaults, then the common ones. Null when they say nothing that we know.
 */
export function judgeWords(
  words: string,
  stage: FailureStage,
  rules: { operator: readonly ErrorRule[]; defaults: readonly DefaultRule[] },
): FailureCode | null {
  const lower = words.toLowerCase();
  const own = rules.operator.find(({ match }) => lower.includes(match.toLowerCase()));
  if (own) return own.code;
  const found = [...rules.defaults, ...commonRules].find(({ match }) => match.test(words));
  if (found?.code !== 'content') return found?.code ?? null;
  return stage === 'submit' ? 'input_rejected' : 'output_rejected';
}
