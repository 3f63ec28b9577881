import type { HeldFile } from '../fileResponses.ts';

/** A package of `integrations` that has the version of its gateway. */
export interface ClientPackage {
  /** The package's name in the registry. */
  name: string;
  /** The registry that the name is meant for; null for a package that none takes. */
  registry: 'npm' | 'PyPI' | 'Go' | null;
  /** Whether the name belongs to the project there. Until then, no instruction may install it by its name. */
  isRegistered: boolean;
  /** Names of its files; the first is the one that is installed. */
  files: (version: string) => readonly string[];
}

/** A file of a package of this gateway's version. */
export interface ClientFile extends HeldFile {
  name: string;
}

const npm = (name: string, stem: string): ClientPackage => ({
  name,
  registry: 'npm',
  isRegistered: false,
  files: (version) => [`${stem}-${version}.tgz`],
});

/** All packages by their folder in `integrations`. */
export const clientPackages = {
  typescript: npm('@framegate/client', 'framegate-client'),
  operator: npm('@framegate/operator', 'framegate-operator'),
  'ai-sdk': npm('@framegate/ai-sdk-provider', 'framegate-ai-sdk-provider'),
  n8n: npm('n8n-nodes-framegate', 'n8n-nodes-framegate'),
  'node-red': npm('@framegate/node-red', 'framegate-node-red'),
  activepieces: npm('@framegate/piece-framegate', 'framegate-piece-framegate'),
  zapier: { ...npm('framegate-zapier', 'framegate-zapier'), registry: null },
  python: {
    name: 'framegate',
    registry: 'PyPI',
    isRegistered: false,
    files: (version) => [`framegate-${version}-py3-none-any.whl`, `framegate-${version}.tar.gz`],
  },
  go: {
    name: 'github.com/framegate/framegate-go',
    registry: 'Go',
    isRegistered: false,
    files: (version) => [`framegate-go-${version}.tgz`],
  },
} satisfies Readonly<Record<string, ClientPackage>>;

/** A folder of `integrations` with a package. */
export type ClientFolder = keyof typeof clientPackages;

/** Names that no instruction may tell anyone to install, because anyone could register them. */
export const unregisteredNames = (): string[] =>
  Object.values<ClientPackage>(clientPackages).flatMap(({ name, registry, isRegistered }) =>
    registry === null || isRegistered ? [] : [name],
  );

/** Shown next to each line that installs a package whose name is not registered. */
export const notInRegistry = 'Not in a registry yet: install it from your gateway.';

/** The sentence for a package, or nothing. */
export const registryNote = (folder: ClientFolder): string =>
  unregisteredNames().includes(clientPackages[folder].name) ? notInRegistry : '';
