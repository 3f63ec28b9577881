/**
 * Writes what an installation consists of, `sbom.cdx.json` (CycloneDX) and `licenses.txt`, from the list
 * that `npm sbom --package-lock-only` makes: that has everything of the lock file, tools and the native
 * parts for every platform included, and an installation for production has less.
 *
 *   node deploy/image/contents.js <list of npm sbom>
 */
import { readFileSync, writeFileSync } from 'node:fs';

const [, , file = ''] = process.argv;
const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
const list = read(file);

/** What npm says that it installed, as name@version. */
const installed = new Set(
  Object.entries(read('node_modules/.package-lock.json').packages).map(
    ([path, { name, version }]) => `${name ?? path.replace(/^.*node_modules\//, '')}@${version}`,
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
