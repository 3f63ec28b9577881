import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { betweenMarkers, type Target } from '../target.ts';

const root = join(import.meta.dirname, '../..');

/** Parts of the production code by path; the first match counts. */
const parts: readonly [path: RegExp, part: string][] = [
  [/^shared\/src\//, 'shared'],
  [/^gateway\/limits\/src\//, 'limits'],
  [/^gateway\/src\/domain\//, 'domain'],
  [/^gateway\/src\/application\/ports\//, 'application/ports'],
  [/^gateway\/src\/application\//, 'application'],
  [/^gateway\/src\/adapters\//, 'adapters'],
  [/^gateway\/src\/http\//, 'http'],
  [/^gateway\/src\/texts\//, 'texts'],
  [/^gateway\/src\/(config\.ts|settings\/)/, 'config'],
  [/^gateway\/src\//, 'compose'],
  [/^gateway\/providers\/src\//, 'providers'],
  [/^gateway\/media\/src\//, 'media'],
  [/^gateway\/preview\/src\//, 'preview'],
  [/^gateway\/embedded-mongod\/src\//, 'embedded-mongod'],
];

const packages: Readonly<Record<string, string>> = {
  '@framegate/contract': 'shared',
  '@framegate/limits': 'limits',
  '@framegate/media': 'media',
  '@framegate/provider-routes': 'providers',
  '@framegate/preview-renderer': 'preview',
  '@framegate/embedded-mongod': 'embedded-mongod',
};

/** Diagram of the imports between parts, in docs/architecture.md. */
export const partsDiagram: Target = {
  file: 'docs/architecture.md',
  content: (page) => betweenMarkers(page, 'diagram', diagram()),
};

function diagram(): string {
  const imports = new Map<string, Set<string>>(parts.map(([, part]) => [part, new Set()]));
  for (const file of globSync('{shared,gateway}/**/src/**/*.ts', { cwd: root })) {
    const from = partOf(file);
    if (from === null || file.endsWith('.test.ts')) continue;
    for (const to of importedBy(file)) if (to !== from) imports.get(from)?.add(to);
  }
  const nodes = parts.map(([, part]) => `  ${idOf(part)}["${part}"]`);
  return ['```mermaid', 'flowchart TD', ...nodes, ...arrows(imports), '```'].join('\n');
}

/** Arrows without transitive ones: a part that imports the application also imports the domain. */
function arrows(imports: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const reaches = (from: string, to: string): boolean =>
    [...(imports.get(from) ?? [])].some((next) => next === to || reaches(next, to));
  return [...imports].flatMap(([from, all]) =>
    [...all]
      .filter((to) => ![...all].some((other) => other !== to && reaches(other, to)))
      .map((to) => `  ${idOf(from)} --> ${idOf(to)}`)
      .toSorted(),
  );
}

/** A file's imports, without types of workspaces, which the whole gateway may use. */
function importedBy(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8').replaceAll(
    /^import type [^;]* from '@[^;]*;$/gm,
    '',
  );
  const names = [...text.matchAll(/(?:from|import\()\s*'([^']+)'/g)].map(([, name = '']) => name);
  return names.flatMap((name) => {
    const path = relative(root, join(root, dirname(file), name));
    return (name.startsWith('.') ? partOf(path) : packages[packageOf(name)]) ?? [];
  });
}

/** The package of an import, such as `@framegate/media` of `@framegate/media/errors`. */
const packageOf = (name: string) => name.split('/', 2).join('/');
const partOf = (path: string) => parts.find(([start]) => start.test(path))?.[1] ?? null;
const idOf = (part: string) => part.replaceAll(/\W/g, '_');
