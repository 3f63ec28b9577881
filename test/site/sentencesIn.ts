import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { projectRoot } from '../support/runNode.ts';
import type { Text } from './wrongWords.ts';

/** Marks a cut in a text, so that no phrase spans it. */
export const gap = ' | ';

/**
 * Texts of a program that a person may read: its templates with a space and strings with a space and a capital, without
 * tags, code, quoted names and inserted values. Other strings are names of actions, fields and styles.
 */
export function sentencesIn(source: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return;
    if (ts.isStringLiteral(node) && /\p{Lu}/u.test(node.text)) found.push(node.text);
    if (ts.isNoSubstitutionTemplateLiteral(node)) found.push(node.text);
    if (ts.isTemplateExpression(node)) {
      const { head, templateSpans } = node;
      found.push([head.text, ...templateSpans.map(({ literal }) => literal.text)].join(gap));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest));
  return found
    .map((text) => text.replaceAll(/<!--.*?-->|<[^<>]*>|`[^`]*`|"[\w.]+"/gs, gap))
    .filter((text) => /\S \S/.test(text.replaceAll(gap, '')));
}

/** Texts of all programs in these folders of the project, without tests and generated files. */
export function sentencesUnder(...folders: string[]): Text[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--', ...folders], {
    cwd: projectRoot,
    encoding: 'utf8',
  });
  return listed
    .split('\0')
    .filter((file) => /(?<!\.test)\.ts$/.test(file) && !file.includes('/generated/'))
    .flatMap((file) =>
      sentencesIn(readFileSync(join(projectRoot, file), 'utf8')).map((text): Text => [file, text]),
    );
}
