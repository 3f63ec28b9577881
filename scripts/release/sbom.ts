/** The parts of a CycloneDX document that are changed here. */
export interface Sbom {
  serialNumber?: string;
  metadata: { timestamp?: string; component: { 'bom-ref': string } };
  components: { 'bom-ref': string; name: string; properties?: { name: string }[] }[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}

/** npm's mark of development dependencies. */
const development = 'cdx:npm:package:development';

/**
 * npm's list of the lock file, without development tools. npm's own `--omit dev` also drops packages that a tool
 * shares with the gateway, such as Koa.
 * @param commit Hashed into the document's serial number, so that each commit has one document.
 * @param committedAt ISO 8601.
 */
export function productionSbom(list: Sbom, commit: string, committedAt: string): Sbom {
  const components = list.components.filter(
    ({ properties = [] }) => !properties.some(({ name }) => name === development),
  );
  const keptRefs = new Set([list.metadata.component, ...components].map((each) => each['bom-ref']));
  const dependencies = list.dependencies
    .filter(({ ref }) => keptRefs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({
      ref,
      dependsOn: dependsOn.filter((to) => keptRefs.has(to)),
    }));
  // A version 8 UUID: its other bits are free.
  const uuid = commit.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');
  return {
    ...list,
    serialNumber: `urn:uuid:${uuid}`,
    metadata: { ...list.metadata, timestamp: committedAt },
    components,
    dependencies,
  };
}
