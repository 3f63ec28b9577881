import Joi from 'joi';
import { createSafetyPolicy, SafetyRuleProblem, type SafetyRule } from '../domain/safetyPolicy.ts';

const list = (most: number, length: number) =>
  Joi.array().items(Joi.string().min(1).max(length)).max(most);

/** The rules as SAFETY_FILE writes them. */
const safetySchema = Joi.object({
  rules: Joi.array()
    .items(
      Joi.object({
        name: Joi.string().min(1).max(100).required(),
        words: list(10_000, 200),
        patterns: list(1_000, 1_000),
      }).or('words', 'patterns'),
    )
    .unique('name')
    .max(1_000)
    .required(),
}).required();

/**
 * The operator's safety rules, checked: `{ "rules": [{ "name", "words", "patterns" }] }`.
 * @throws Error that names every problem of form with its place in the file, or the first word or
 * pattern that cannot work.
 */
export function readSafety(content: unknown): readonly SafetyRule[] {
  const { value, error } = safetySchema.validate(content, {
    abortEarly: false,
    convert: false,
  }) as {
    value: { rules: (Pick<SafetyRule, 'name'> & Partial<SafetyRule>)[] };
    error?: Joi.ValidationError;
  };
  if (error !== undefined) {
    throw new Error(error.details.map(({ message }) => message.replaceAll('"', '')).join('; '));
  }
  const rules = value.rules.map(({ name, words = [], patterns = [] }) => ({
    name,
    words,
    patterns,
  }));
  try {
    createSafetyPolicy(rules);
  } catch (problem) {
    if (!(problem instanceof SafetyRuleProblem)) throw problem;
    throw new Error(`${problem.path} ${problem.message}`, { cause: problem });
  }
  return rules;
}
