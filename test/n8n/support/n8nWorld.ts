import type { TestAccount } from '../../support/gateway.ts';
import { type FakeChatModel, startFakeChatModel } from './fakeChatModel.ts';
import { type InstalledN8n, installN8n } from './n8nInstance.ts';
import { type Framegate, startFramegate } from './startFramegate.ts';
import { type N8n, prepareN8n } from './startN8n.ts';
import { credentialId, type Importable, readExamples } from './workflows.ts';

/** A real n8n with the package in it, a real gateway, and a chat model for agents. */
export interface N8nWorld {
  framegate: Framegate;
  /** The account of the credential that the workflows use. */
  account: TestAccount;
  chat: FakeChatModel;
  /** n8n before it starts. */
  n8n: N8n;
  /** Credentials and workflows for n8n, the examples included. */
  credentials: readonly Importable[];
  workflows: readonly Importable[];
  /** Starts n8n and gives it the credentials and workflows. */
  start(): Promise<void>;
  /** n8n's ids of the credentials, in order, once it has started. */
  credentialIds: readonly string[];
  stop(): Promise<void>;
}

/** Which n8n it is. */
export interface WorldOptions {
  /** The release of the lockfile unless told otherwise. */
  installed?: InstalledN8n;
  /** Further environment of its processes. */
  settings?: Record<string, string>;
}

/**
 * Prepares it, for the example workflows and these.
 * @param more Further credentials, once there is a gateway.
 */
export async function prepareN8nWorld(
  workflows: Importable[],
  more: (framegate: Framegate) => Promise<Importable[]> = async () => [],
  { installed, settings }: WorldOptions = {},
): Promise<N8nWorld> {
  const program = installed ?? (await installN8n());
  const [framegate, n8n] = await Promise.all([startFramegate(), prepareN8n(program, settings)]);
  const account = await framegate.addAccount({ limits: { running: 30, waiting: 100 } });
  const chat = await startFakeChatModel({ Prompt: 'a lighthouse at dawn', Aspect_Ratio: '1:1' });
  const { baseUrl } = framegate;
  const credentials = [
    {
      id: credentialId,
      name: 'Framegate account',
      type: 'framegateApi',
      data: { baseUrl, apiKey: account.apiKey },
    },
    {
      id: 'openAiAccount0001',
      name: 'OpenAI account',
      type: 'openAiApi',
      data: { apiKey: 'not-a-real-key', url: chat.url },
    },
    ...(await more(framegate)),
  ];
  const credentialIds: string[] = [];
  const all = [...(await readExamples()), ...workflows];
  return {
    framegate,
    account,
    chat,
    n8n,
    credentials,
    credentialIds,
    workflows: all,
    async start() {
      await n8n.start();
      for (const each of credentials) credentialIds.push(await n8n.addCredential(each));
      for (const workflow of all) await n8n.addWorkflow(workflow);
    },
    async stop() {
      await n8n.stop();
      await chat.close();
      await framegate.stop();
    },
  };
}
