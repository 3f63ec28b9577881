import type { TextKey } from '../../../texts/text.ts';
import type { DocsFacts } from '../docs/facts.ts';
import {
  type ClientFile,
  type ClientFolder,
  clientPackages,
  registryNote,
} from './clientPackages.ts';

/** Path of a file of a package. */
export const clientPath = (name: string): string => `/clients/${name}`;

/** A name in a sentence: code, or a label in the tool. */
export type Name = { code: string } | { label: string };

/** The step after the installation, and the places of URL and key. */
interface NextStep {
  key: TextKey;
  names: Readonly<Record<string, Name>>;
}

/** A program that uses the API. */
interface ClientTool {
  title: string;
  /** The tool's package; absent for a tool that is not installed. */
  folder?: ClientFolder;
  /** @param url URL of the package's file. @returns Commands for a shell. */
  install?: (url: string, file: string, facts: DocsFacts) => string;
  next: (facts: DocsFacts) => NextStep;
}

const urlName = ({ baseUrl }: DocsFacts): Name => ({ code: baseUrl });
const variables = {
  urlVariable: { code: 'FRAMEGATE_URL' },
  keyVariable: { code: 'FRAMEGATE_KEY' },
};

const fromEnvironment = (facts: DocsFacts): NextStep => ({
  key: 'tools.environment',
  names: { url: urlName(facts), ...variables },
});

/** Name and URL of the file that the next command reads. */
const fetchFirst = (url: string) => `curl -fO ${url}`;

/** Tools by their anchor in the page, from top to bottom. */
const clientTools = {
  typescript: {
    title: 'TypeScript and JavaScript',
    folder: 'typescript',
    install: (url) => `npm install ${url}`,
    next: fromEnvironment,
  },
  python: {
    title: 'Python',
    folder: 'python',
    install: (url) => `pip install ${url}`,
    next: fromEnvironment,
  },
  go: {
    title: 'Go',
    folder: 'go',
    install: (url, _file, { version }) => {
      const { name } = clientPackages.go;
      return `mkdir framegate-go && curl -f ${url} | tar -xz -C framegate-go --strip-components 1
go mod edit -require ${name}@v${version} -replace ${name}=./framegate-go`;
    },
    next: (facts) => ({
      key: 'tools.go',
      names: {
        url: urlName(facts),
        module: { code: clientPackages.go.name },
        command: { code: 'go mod tidy' },
        constructor: { code: 'framegate.New' },
      },
    }),
  },
  'command-line': {
    title: 'Command line',
    folder: 'typescript',
    install: (url) => `npm install --global ${url}`,
    next: (facts) => ({
      key: 'tools.commandLine',
      names: { url: urlName(facts), command: { code: 'framegate login' } },
    }),
  },
  agents: {
    title: 'Agents that start a program (MCP)',
    folder: 'typescript',
    install: (url) => `npx -y ${url} mcp`,
    next: (facts) => ({
      key: 'tools.agents',
      names: { url: urlName(facts), ...variables, env: { code: 'env' } },
    }),
  },
  'ai-sdk': {
    title: 'AI SDK',
    folder: 'ai-sdk',
    install: (url) => `npm install ai ${url}`,
    next: fromEnvironment,
  },
  n8n: {
    title: 'n8n',
    folder: 'n8n',
    install: (url) =>
      `mkdir -p ~/.n8n/nodes && cd ~/.n8n/nodes && npm install --omit=peer --ignore-scripts ${url}`,
    next: (facts) => ({
      key: 'tools.n8n',
      names: { url: urlName(facts), credential: { label: 'Framegate API' } },
    }),
  },
  'node-red': {
    title: 'Node-RED',
    folder: 'node-red',
    install: (url) => `cd ~/.node-red && npm install ${url}`,
    next: (facts) => ({
      key: 'tools.nodeRed',
      names: {
        url: urlName(facts),
        menu: { label: 'Manage palette > Install' },
        field: { label: 'Account' },
      },
    }),
  },
  activepieces: {
    title: 'Activepieces',
    folder: 'activepieces',
    install: fetchFirst,
    next: (facts) => ({
      key: 'tools.activepieces',
      names: {
        url: urlName(facts),
        menu: { label: 'Platform Admin > Setup > Pieces > Install Piece' },
      },
    }),
  },
  curl: {
    title: 'curl',
    next: (facts) => ({
      key: 'tools.curl',
      names: { url: urlName(facts), keyVariable: variables.keyVariable },
    }),
  },
  'zapier-user': {
    title: 'Zapier',
    next: (facts) => ({
      key: 'tools.zapier',
      names: { url: urlName(facts), app: { label: facts.brand.name } },
    }),
  },
  zapier: {
    title: 'Zapier, for the operator',
    folder: 'zapier',
    install: (url, file, { baseUrl }) =>
      `${fetchFirst(url)} && tar -xzf ${file} && cd package
FRAMEGATE_BASE_URL=${baseUrl} zapier-platform push`,
    next: () => ({ key: 'tools.zapierOperator', names: {} }),
  },
  operator: {
    title: 'Operator API, for your own product',
    folder: 'operator',
    install: (url) => `npm install ${url}`,
    next: () => ({
      key: 'tools.operator',
      names: {
        urlVariable: { code: 'FRAMEGATE_OPERATOR_URL' },
        keyVariable: { code: 'FRAMEGATE_OPERATOR_KEY' },
      },
    }),
  },
} satisfies Readonly<Record<string, ClientTool>>;

/** A tool by its anchor in the page. */
export type ClientToolId = keyof typeof clientTools;

/** The names of a step, each as a page writes it. */
export const writtenNames = <Written>(
  { names }: NextStep,
  write: (name: Name) => Written,
): Record<string, Written> =>
  Object.fromEntries(Object.entries(names).map(([key, name]) => [key, write(name)]));

/** How a tool is installed from this gateway. */
export interface Installation {
  id: ClientToolId;
  title: string;
  /** Null for a tool that is not installed or is missing. */
  command: string | null;
  /** Whether this gateway lacks its package. */
  isMissing: boolean;
  next: NextStep;
  /** Note in Markdown for a package that no registry has; otherwise empty. */
  note: string;
  /** The tool's files, the installed one first. */
  files: readonly ClientFile[];
}

/** How a tool is installed from this gateway. */
export function installationOf(id: ClientToolId, facts: DocsFacts): Installation {
  const { title, folder, install, next }: ClientTool = clientTools[id];
  const names = folder === undefined ? [] : clientPackages[folder].files(facts.version);
  const files = names.flatMap((name) => facts.clients.find((file) => file.name === name) ?? []);
  const [first] = files;
  const command =
    first && install ? install(facts.siteUrl + clientPath(first.name), first.name, facts) : null;
  const note = folder === undefined ? '' : registryNote(folder);
  const isMissing = folder !== undefined && command === null;
  return { id, title, command, isMissing, next: next(facts), note, files };
}

/** All tools whose packages this gateway has, from top to bottom. */
export const installations = (facts: DocsFacts) =>
  (Object.keys(clientTools) as ClientToolId[])
    .map((id) => installationOf(id, facts))
    .filter(({ files }) => files.length > 0);
