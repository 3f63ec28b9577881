import type { DocsFacts } from '../docs/facts.ts';
import {
  clientPackages,
  registryNote,
  type ClientFile,
  type ClientFolder,
} from './clientPackages.ts';

/** Path of a file of a package. */
export const clientPath = (name: string): string => `/clients/${name}`;

/** A program for which one line installs a package. */
interface ClientTool {
  title: string;
  folder: ClientFolder;
  /** @param url Address of the package's file. @returns Commands for a shell. */
  install: (url: string, file: string, facts: DocsFacts) => string;
  /** What follows, and where the key goes, in Markdown. */
  then: (facts: DocsFacts) => string;
}

const fromEnvironment = ({ baseUrl }: DocsFacts) =>
  `It reads the address \`${baseUrl}\` from \`FRAMEGATE_URL\` and your key from \`FRAMEGATE_KEY\`.`;

/** Name and address of the file that the next command reads. */
const fetchFirst = (url: string) => `curl -fO ${url}`;

/** By the anchor in the page, in reading order. */
const clientTools = {
  typescript: {
    title: 'TypeScript and JavaScript',
    folder: 'typescript',
    install: (url) => `npm install ${url}`,
    then: fromEnvironment,
  },
  python: {
    title: 'Python',
    folder: 'python',
    install: (url) => `pip install ${url}`,
    then: fromEnvironment,
  },
  'command-line': {
    title: 'Command line',
    folder: 'typescript',
    install: (url) => `npm install --global ${url}`,
    then: ({ baseUrl }) =>
      `\`framegate login\` asks for the address \`${baseUrl}\` and your key, and keeps them readable only by you.`,
  },
  agents: {
    title: 'Agents that start a program (MCP)',
    folder: 'typescript',
    install: (url) => `npx -y ${url} mcp`,
    then: ({ baseUrl }) =>
      `This is the command of the agent's configuration. Its \`env\` has \`FRAMEGATE_URL\`, \`${baseUrl}\`, and \`FRAMEGATE_KEY\`.`,
  },
  'ai-sdk': {
    title: 'AI SDK',
    folder: 'ai-sdk',
    install: (url) => `npm install ai ${url}`,
    then: fromEnvironment,
  },
  n8n: {
    title: 'n8n',
    folder: 'n8n',
    install: (url) =>
      `mkdir -p ~/.n8n/nodes && cd ~/.n8n/nodes && npm install --omit=peer --ignore-scripts ${url}`,
    then: ({ baseUrl }) =>
      `Run this where n8n runs, and start n8n again. Then create a credential **Framegate API** with the base URL \`${baseUrl}\` and your key.`,
  },
  'node-red': {
    title: 'Node-RED',
    folder: 'node-red',
    install: (url) => `cd ~/.node-red && npm install ${url}`,
    then: ({ baseUrl }) =>
      `Run this where Node-RED runs, and start it again; or download the file and upload it under **Manage palette > Install**. The address \`${baseUrl}\` and your key go into the node's **Account**.`,
  },
  activepieces: {
    title: 'Activepieces',
    folder: 'activepieces',
    install: fetchFirst,
    then: ({ baseUrl }) =>
      `Upload the file under **Platform Admin > Setup > Pieces > Install Piece**, as a packed archive. The address \`${baseUrl}\` and your key go into the connection of the piece.`,
  },
  zapier: {
    title: 'Zapier, for the operator',
    folder: 'zapier',
    install: (url, file, { baseUrl }) =>
      `${fetchFirst(url)} && tar -xzf ${file} && cd package
FRAMEGATE_BASE_URL=${baseUrl} zapier-platform push`,
    then: () =>
      `Zapier's command line tool uploads the app to your account at Zapier; its README has the steps before and after. Customers accept an invitation, and their key goes into the connection.`,
  },
  operator: {
    title: 'Operator API, for the product in front',
    folder: 'operator',
    install: (url) => `npm install ${url}`,
    then: () =>
      'It reads the address of the operator API from `FRAMEGATE_OPERATOR_URL` and an operator key from `FRAMEGATE_OPERATOR_KEY`.',
  },
} satisfies Readonly<Record<string, ClientTool>>;

export type ClientToolId = keyof typeof clientTools;

/** How a tool is installed from this gateway. */
export interface Installation {
  id: string;
  title: string;
  command: string;
  /** What stands beside the command, in Markdown. */
  text: string;
  /** Its files, the installed one first. */
  files: readonly ClientFile[];
}

/** How a tool is installed from this gateway; null if its package was not packed. */
export function installationOf(id: ClientToolId, facts: DocsFacts): Installation | null {
  const { title, folder, install, then }: ClientTool = clientTools[id];
  const files = clientPackages[folder]
    .files(facts.version)
    .flatMap((name) => facts.clients.find((file) => file.name === name) ?? []);
  const [first] = files;
  if (first === undefined) return null;
  const url = facts.siteUrl + clientPath(first.name);
  const command = install(url, first.name, facts);
  const text = [then(facts), registryNote(folder)].filter((each) => each !== '').join(' ');
  return { id, title, command, text, files };
}

/** All tools whose packages this gateway has, in reading order. */
export const installations = (facts: DocsFacts): Installation[] =>
  (Object.keys(clientTools) as ClientToolId[]).flatMap((id) => installationOf(id, facts) ?? []);
