import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './runNode.ts';

/**
 * Reads the rows of a tool's `docs/field.md`, which lists reports of other nodes' users.
 * @returns How many there are, and the last cells that neither name a test of the tool nor say why it cannot happen.
 */
export function reportRows(tool: 'n8n' | 'zapier'): { count: number; unproven: string[] } {
  const page = readFileSync(join(projectRoot, 'integrations', tool, 'docs/field.md'), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| ['));
  const folder = join(projectRoot, 'test', tool);
  const tests = readdirSync(folder)
    .filter((file) => /^field\w*\.test\.ts$/.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('');
  const cells = rows.map((row) => row.split(' | ').at(-1)?.replace(/ *\|$/, '') ?? '');
  const unproven = cells.filter((cell) => {
    const [, name] = /^`(.*)`$/.exec(cell) ?? [];
    return name === undefined
      ? !/^(Cannot happen|Outside the node): /.test(cell)
      : !tests.includes(name);
  });
  return { count: rows.length, unproven };
}
