import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AST, RegExpParser } from '@eslint-community/regexpp';
import ts from 'typescript';
import { projectRoot } from '../support/runNode.ts';

/** A regular expression of the sources. */
export interface Pattern {
  file: string;
  source: string;
  flags: string;
}

/** The code that runs in a gateway's processes and its pages. */
const folders = ['gateway', 'shared'];

/**
 * Every literal of the sources and of providers' rows, which read responses, and for each `new RegExp` its file
 * and argument.
 */
export function readPatterns(): { literals: Pattern[]; built: string[] } {
  const files = tracked(...folders)
    .filter((file) => /\.[cm]?[jt]s$/.test(file))
    .filter((file) => !/\.test\.ts$|\.d\.ts$|\/test\/|\/generated\//.test(file));
  const literals = new Map<string, Pattern>();
  const built: string[] = [];
  for (const file of files) {
    const text = readFileSync(join(projectRoot, file), 'utf8');
    const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        const end = node.text.lastIndexOf('/');
        const pattern = { file, source: node.text.slice(1, end), flags: node.text.slice(end + 1) };
        literals.set(`${file} ${node.text}`, pattern);
      }
      const isRegExp =
        (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
        ts.isIdentifier(node.expression) &&
        node.expression.text === 'RegExp';
      if (isRegExp) built.push(`${file}: ${node.arguments?.[0]?.getText(tree) ?? ''}`);
      ts.forEachChild(node, visit);
    };
    visit(tree);
  }
  for (const file of tracked('gateway/providers/src/rows/*.json')) {
    const text = readFileSync(join(projectRoot, file), 'utf8');
    JSON.parse(text, (name, value: unknown) => {
      const isPattern = typeof value === 'string' && (name === 'match' || name === 'id');
      if (isPattern) literals.set(`${file} ${value}`, { file, source: value, flags: 'i' });
      return value;
    });
  }
  return { literals: [...literals.values()], built };
}

function tracked(...paths: string[]): string[] {
  const files = execFileSync('git', ['ls-files', ...paths], { cwd: projectRoot }).toString();
  return files.trim().split('\n');
}

const representatives = Array.from('aA0 -_.,:;/\\@=?#&%+*!~|<>()[]{}"\'`$^\t\n\r\0éﬃ…');

/**
 * Texts of about this length that make a backtracking engine work hard: text that a repeated part of the pattern
 * accepts, with text that leads to it, repeated, with an end that does not match.
 */
export function hardTexts({ source, flags }: Omit<Pattern, 'file'>, length: number): string[] {
  const unicode = { unicode: flags.includes('u'), unicodeSets: flags.includes('v') };
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, unicode);
  const literals = new Set<string>();
  const pumps = new Map<string, Set<string>>();
  const add = (lead: string, ...pumped: string[]) => {
    const own = pumps.get(lead) ?? new Set();
    for (const pump of pumped) if (pump !== '') own.add(pump);
    pumps.set(lead, own);
  };
  const accepted = (node: AST.Element): string[] => {
    const one = new RegExp(`^(?:${node.raw})$`, flags.replace(/[gy]/g, ''));
    return representatives.filter((each) => one.test(each)).slice(0, 40);
  };
  const some = (all: string[]) => all.filter((_, at) => at % Math.ceil(all.length / 4) === 0);
  /** A text that the node accepts. */
  const sample = (node: AST.Node): string => {
    switch (node.type) {
      case 'Character':
        return String.fromCodePoint(node.value);
      case 'CharacterSet':
      case 'CharacterClass':
      case 'ExpressionCharacterClass':
        return accepted(node)[0] ?? 'a';
      case 'Quantifier':
        return sample(node.element).repeat(Math.min(Math.max(node.min, 1), 1000));
      case 'Group':
      case 'CapturingGroup':
      case 'Pattern':
        return node.alternatives[0] ? sample(node.alternatives[0]) : '';
      case 'Alternative':
        return node.elements.map(sample).join('');
      default:
        return '';
    }
  };
  let repeats = 0;
  const walk = (alternatives: AST.Alternative[], lead: string): void => {
    for (const { elements } of alternatives) {
      let own = lead;
      for (const element of elements) {
        let inner: AST.Element = element;
        if (element.type === 'Character') literals.add(sample(element));
        if (inner.type === 'Quantifier') {
          if (inner.max > 10) {
            repeats += 1;
            const singles =
              'alternatives' in inner.element
                ? inner.element.alternatives.map(sample)
                : some(accepted(inner.element));
            add(own, ...singles, sample(inner.element));
            for (const single of singles) add('', own + single);
            add('', own, own + sample(inner));
          }
          inner = inner.element;
        }
        if ('alternatives' in inner) walk(inner.alternatives, own);
        own = (own + sample(element)).slice(-1_500);
      }
      add('', own);
    }
  };
  walk(pattern.alternatives, '');
  // Without a long repetition the time of an attempt is bounded.
  if (repeats === 0) return [];
  const signs = [...literals].slice(0, 6);
  const ends = ['', '\n', '\0', 'a', ...['#', '?', ...some(signs)].map((each) => `${each}\n`)];
  const over = (pump: string) => pump.repeat(Math.ceil(length / pump.length)).slice(0, length);
  const texts = signs.flatMap((first) => signs.map((second) => over(first + second)));
  for (const [lead, all] of pumps) {
    for (const pump of all) {
      const pumped = over(pump);
      for (const end of ends) texts.push(lead + pumped + end);
      if (lead === '') texts.push(`0${pumped}0`);
    }
  }
  return texts;
}

/** Time of a match of all of a text, in ms. */
export function timeOf({ source, flags }: Omit<Pattern, 'file'>, text: string): number {
  const pattern = new RegExp(source, flags.replace('y', ''));
  const startedAt = performance.now();
  if (flags.includes('g')) text.replace(pattern, '');
  else pattern.test(text);
  return performance.now() - startedAt;
}
