import { RE2JS, RE2Set } from 're2js';
import { messageOf } from '@framegate/contract';
import { FileProblemsError } from '../installation/fileProblems.ts';
import { foldText, latinise } from '../text/text.ts';

/** An operator's rule; a prompt with one of its words or patterns is refused. */
export interface SafetyRule {
  /** Name shown to staff, never to customers. */
  name: string;
  /** Words and phrases, matched as whole words in any spelling variant. */
  words: readonly string[];
  /** Regular expressions in RE2's syntax, matched against the folded prompt. */
  patterns: readonly string[];
}

/** The operator's compiled rules. */
export interface SafetyPolicy {
  /** The name of the first rule that the prompt breaks, or null. */
  findBrokenRule(prompt: string): string | null;
}

/** Scripts without spaces between words, or with endings attached to words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

const tokensOf = (text: string): string[] => text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];

/**
 * Compiles the operator's words and patterns, which are matched against the folded text. Patterns run on RE2's
 * automata, in time that grows only with the length of the prompt.
 * @throws FileProblemsError for the first word or pattern that cannot work.
 */
export function createSafetyPolicy(rules: readonly SafetyRule[]): SafetyPolicy {
  const findWord = createWordFinder(rules);
  const findPattern = createPatternFinder(rules);
  return {
    findBrokenRule(prompt) {
      const plain = foldText(prompt);
      const latin = latinise(plain);
      const brokenRules = [
        findWord(latin),
        findPattern(plain),
        latin === plain ? Infinity : findPattern(latin),
      ];
      return rules[Math.min(...brokenRules)]?.name ?? null;
    },
  };
}

/** Returns the index of the first rule that matches a text, or Infinity. */
type RuleFinder = (text: string) => number;

function createWordFinder(rules: readonly SafetyRule[]): RuleFinder {
  /** Phrases by their first word. */
  const phrases = new Map<string, { words: string[]; rule: number }[]>();
  const anywhere: { text: string; rule: number }[] = [];
  for (const [rule, { words }] of rules.entries()) {
    for (const [index, word] of words.entries()) {
      const tokens = tokensOf(latinise(foldText(word)));
      const [first] = tokens;
      if (first === undefined) {
        throw new FileProblemsError([`rules[${rule}].words[${index}] has no letter or digit.`]);
      }
      if (unspaced.test(word)) anywhere.push({ text: tokens.join(''), rule });
      else phrases.set(first, [...(phrases.get(first) ?? []), { words: tokens, rule }]);
    }
  }
  return (text) => {
    const tokens = tokensOf(text);
    let lowestRule = Infinity;
    for (const [place, token] of tokens.entries()) {
      for (const { words, rule } of phrases.get(token) ?? []) {
        if (words.every((word, index) => tokens[place + index] === word)) {
          lowestRule = Math.min(lowestRule, rule);
        }
      }
    }
    const run = tokens.join('');
    for (const { text: part, rule } of anywhere) {
      if (run.includes(part)) lowestRule = Math.min(lowestRule, rule);
    }
    return lowestRule;
  };
}

function createPatternFinder(rules: readonly SafetyRule[]): RuleFinder {
  const set = new RE2Set();
  const rulesByPattern: number[] = [];
  for (const [rule, { patterns }] of rules.entries()) {
    for (const [index, pattern] of patterns.entries()) {
      requireUsable(pattern, `rules[${rule}].patterns[${index}]`);
      set.add(pattern);
      rulesByPattern.push(rule);
    }
  }
  if (rulesByPattern.length === 0) return () => Infinity;
  set.compile();
  return (text) => Math.min(...set.match(text).map((id: number) => rulesByPattern[id] ?? Infinity));
}

function requireUsable(pattern: string, path: string): void {
  let matchesNothing: boolean;
  try {
    matchesNothing = RE2JS.compile(pattern).matcher('').find();
  } catch (error) {
    const why = messageOf(error);
    throw new FileProblemsError([`${path} is not a pattern of RE2: ${why}.`]);
  }
  if (matchesNothing) throw new FileProblemsError([`${path} would match every prompt.`]);
  if (/\p{Lu}/u.test(pattern.replace(/\\(?:[pP]\{[^}]*\}|.)/gu, '').replace(/\(\?P?<\w+>/g, ''))) {
    throw new FileProblemsError([
      `${path} has upper case, but prompts are compared in lower case.`,
    ]);
  }
}
