/**
 * Writes what an installation consists of, `sbom.cdx.json` (CycloneDX) and `licenses.txt`, from the list
 * that `npm sbom --package-lock-only` makes: that has everything of the lock file, tools and the native
 * parts for every platform included, and an installation for production has less. `notices.txt` has the
 * words of the licences.
 *
 *   node deploy/image/contents.js <list of npm sbom>
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const [, , file = ''] = process.argv;
const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
const list = read(file);

/** What npm says that it installed, as name@version. */
const installed = new Map(
  Object.entries(read('node_modules/.package-lock.json').packages).map(
    ([path, { name, version }]) => [
      `${name ?? path.replace(/^.*node_modules\//, '')}@${version}`,
      path,
    ],
  ),
);

/** The licence as the package names it: an SPDX id, an expression or free text. */
function licenseOf({ licenses = [] }) {
  const names = licenses.map(
    ({ license, expression }) => expression ?? license?.id ?? license?.name,
  );
  return names.join(' AND ') || 'not named';
}

const components = list.components.filter(({ name, version }) =>
  installed.has(`${name}@${version}`),
);
const kept = new Set([list.metadata.component, ...components].map((each) => each['bom-ref']));
const dependencies = list.dependencies
  .filter(({ ref }) => kept.has(ref))
  .map((each) =>
    Object.assign(each, { dependsOn: each.dependsOn?.filter((ref) => kept.has(ref)) }),
  );
writeFileSync('sbom.cdx.json', JSON.stringify(Object.assign(list, { components, dependencies })));
const lines = components.map((each) => `${each.name} ${each.version}: ${licenseOf(each)}`).sort();
writeFileSync('licenses.txt', `${[...new Set(lines)].join('\n')}\n`);

const legalFile = /^(licen[cs]e|copying|notice|third.?party)/i;

/** The words of a package's licence: its files, or else what its readme says of it; '' where there is neither. */
function noticeOf(folder) {
  const names = readdirSync(folder, { withFileTypes: true }).filter((each) => each.isFile());
  const text = (pattern) =>
    names
      .filter(({ name }) => pattern.test(name))
      .map(({ name }) => readFileSync(join(folder, name), 'utf8').trim());
  const files = text(legalFile);
  if (files.length > 0) return files.join('\n\n');
  const [readme = ''] = text(/^readme/i);
  return /^#+ *licen[cs](e|ing)\b.*/ims.exec(readme)?.[0] ?? '';
}

/** The packages that share a licence text, by that text. */
const sharers = new Map();
for (const { name, version, ...each } of components) {
  const path = installed.get(`${name}@${version}`);
  const notice =
    noticeOf(path) || 'The package brings no words of its licence; it names the licence above.';
  const title = `${name} ${version} (${licenseOf(each)})`;
  sharers.set(notice, [...(sharers.get(notice) ?? []), title]);
}
// Node's own archive has it next to `bin`.
const ofNode = join(dirname(process.execPath), '../LICENSE');
if (existsSync(ofNode)) {
  sharers.set(readFileSync(ofNode, 'utf8').trim(), [`Node.js ${process.version}`]);
}
const line = '='.repeat(80);
const notices = [...sharers].map(
  ([notice, titles]) => `${line}\n${titles.sort().join('\n')}\n\n${notice}\n`,
);
writeFileSync(
  'notices.txt',
  `Framegate comes with the packages below, each under its own licence. The GNU licences and Apache's, which some
of them name only, are in /usr/share/common-licenses.\n\n${notices.sort().join('\n')}`,
);
