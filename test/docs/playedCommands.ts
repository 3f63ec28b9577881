import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../support/runNode.ts';
import { documentCommands } from './shellBlocks.ts';

/** Why no test plays a command of a document. */
export const reasons = {
  account: 'needs an account or a program of somebody else',
  blank: 'has a blank that the reader fills in: it stands for many commands',
  cluster: 'needs a Kubernetes cluster; test/deploy checks what is sent to it',
  docker: 'needs a Docker daemon; test/deploy/image.acceptance.ts plays the steps of the image',
  machine: 'changes users, services and /etc of the machine',
  money: 'a provider charges it',
  release: 'changes what others get',
  tests: 'runs the tests themselves',
  told: 'is told of, and nobody is asked to run it',
} as const;

type Fate =
  /** The test takes the command from the document, with `commandsPlayedBy`. */
  | { playedBy: string }
  /** The test runs the same command in its own form. */
  | { playedAs: string }
  /** The block has settings and no command. */
  | { settings: true }
  | { why: keyof typeof reasons };

/** Commands of a document with the same beginning, and how they are tested. */
interface Row {
  document: RegExp;
  command: RegExp;
  fate: Fate;
}

const inOrder = { playedBy: 'test/start/pages.acceptance.ts' };
const installed = { playedBy: 'test/install/clients.acceptance.ts' };
const any = /^/;

/** The first row that fits a command applies to it. */
export const rows: readonly Row[] = [
  { document: /^docs\/adr\//, command: any, fate: { why: 'told' } },
  { document: any, command: /<\w+>|@ai-sdk\/name/, fate: { why: 'blank' } },
  { document: any, command: /^docker /, fate: { why: 'docker' } },
  { document: any, command: /^(?:kubectl|helm) /, fate: { why: 'cluster' } },
  { document: any, command: /^git (?:subtree|push) /, fate: { why: 'release' } },
  {
    document: any,
    command: /^npm ci && npm start$/,
    fate: { playedBy: 'test/install/firstChange.acceptance.ts' },
  },
  {
    document: any,
    command: /^npm ci && npm test$|^npm test -- |^npm run test:acceptance /,
    fate: { why: 'tests' },
  },
  { document: /^README\.md$/, command: any, fate: inOrder },
  {
    document: /^docs\/deploy\/backup\.md$/,
    command: /^mongo/,
    fate: { playedBy: 'lab/cluster/backup.ts' },
  },
  { document: /^docs\/deploy\/backup\.md$/, command: /^node /, fate: inOrder },
  {
    document: /^docs\/deploy\/compose\.md$/,
    command: any,
    fate: { playedBy: 'test/deploy/makeEnv.test.ts' },
  },
  { document: /^docs\/deploy\/systemd\.md$/, command: any, fate: { why: 'machine' } },
  {
    document: /^docs\/(?:deploy\/media|operating\/provenance)\.md$/,
    command: /^[A-Z\d_]+=\S+$/,
    fate: { settings: true },
  },
  {
    document: /^docs\/operating\/installing\.md$/,
    command: /^npm ci /,
    fate: { playedBy: 'test/install/installCopy.ts' },
  },
  { document: /^docs\/providers\.md$/, command: / routes try /, fate: { why: 'money' } },
  { document: /^docs\/(?:operator-api|providers)\.md$/, command: any, fate: inOrder },
  {
    document: /^docs\/providers\/http\.md$/,
    command: any,
    fate: { playedAs: 'test/docs/describedApi.test.ts' },
  },
  { document: /^docs\/(?:operating|providers)\//, command: any, fate: inOrder },
  {
    document: /^docs\/releasing\.md$/,
    command: any,
    fate: { playedBy: 'test/deploy/release.acceptance.ts' },
  },
  { document: /^docs\/mcp\.md$/, command: /^claude /, fate: { why: 'account' } },
  { document: /^docs\/mcp\.md$/, command: any, fate: installed },
  { document: /pc-product/, command: / operator-key create /, fate: inOrder },
  {
    document: /pc-product/,
    command: /^npm install$/,
    fate: { playedBy: 'test/pcProduct/demo.acceptance.ts' },
  },
  {
    document: /pc-product/,
    command: /^export |^npm start$/,
    fate: { playedAs: 'test/pcProduct/productWorld.ts' },
  },
  {
    document: /\/go\/README/,
    command: /^go /,
    fate: { playedBy: 'test/clients/go/client.acceptance.ts' },
  },
  { document: /\/PUBLISHING\.md$/, command: /^(?:npx|go get) /, fate: { why: 'release' } },
  {
    document: /\/n8n\/README/,
    command: /^npm (?:ci|run lint|test)$/,
    fate: { playedAs: 'test/n8n/ownTests.acceptance.ts' },
  },
  {
    document: /\/python\/README/,
    command: /^python3|^\.venv|^export /,
    fate: { playedAs: 'test/clients/python/client.acceptance.ts' },
  },
  { document: /\/zapier\/README/, command: /^npx /, fate: { why: 'account' } },
  {
    document: /\/zapier\/README/,
    command: /npm (?:ci|run build)$/,
    fate: { playedAs: 'test/zapier/support/installApp.ts' },
  },
  {
    document: /\/zapier\/README/,
    command: /zapier-platform|^export /,
    fate: { playedBy: 'test/zapier/cli.acceptance.ts' },
  },
  {
    document: /\/(?:activepieces|ai-sdk|go|n8n|node-red|operator|python)\/README/,
    command: /https:\/\/api\.example\.com\/clients\//,
    fate: installed,
  },
  { document: /\/typescript\/README/, command: any, fate: installed },
  {
    document: /^\/docs\.md$/,
    command: any,
    fate: { playedBy: 'test/clients/docsSamples.acceptance.ts' },
  },
  { document: /^\/clients\.md$/, command: any, fate: installed },
];

/** How a command is tested; undefined if no row fits. */
export const fateOf = (document: string, command: string): Row | undefined =>
  rows.find((row) => row.document.test(document) && row.command.test(command));

/** The commands of a file of the project that a test has to play, in their order. @throws Error if it has none. */
export function commandsPlayedBy(test: string, document: string): string[] {
  const text = readFileSync(join(projectRoot, document), 'utf8');
  const found = documentCommands(text).filter((command) => {
    const fate = fateOf(document, command)?.fate;
    return fate !== undefined && 'playedBy' in fate && fate.playedBy === test;
  });
  if (found.length === 0) throw new Error(`${document} has no command for ${test}`);
  return found;
}
