import { run } from '../../../integrations/typescript/src/cli/run.ts';
import { hurriedPlatform } from '../../clients/typescript/hurriedPlatform.ts';
import { until } from '../../support/until.ts';

/** A message written by the command. */
export interface Said {
  id?: unknown;
  result?: { isError?: boolean; content?: { text: string }[]; structuredContent?: { id: string } };
  error?: { code: number; message: string };
}

/** Starts `framegate mcp` for a gateway; a test writes lines to it and reads its responses. */
export function startBridge(origin: string, ...options: string[]) {
  const written: string[] = [];
  let more = Promise.withResolvers<undefined>();
  const say = (text: string | null) => {
    if (text !== null) written.push(text);
    else isOver = true;
    more.resolve(undefined);
  };
  let isOver = false;
  async function* lines() {
    for (let next = 0; ;) {
      const text = written[next];
      if (text !== undefined) {
        next += 1;
        yield text;
      } else if (isOver) {
        return;
      } else {
        more = Promise.withResolvers();
        await more.promise;
      }
    }
  }
  const said: Said[] = [];
  const ended = run(
    ['mcp', ...options],
    {
      env: { FRAMEGATE_URL: `${origin}/v1`, FRAMEGATE_KEY: `fg_live_${'x'.repeat(38)}` },
      stdout: { write: (text: string) => said.push(JSON.parse(text) as Said) },
      stderr: { write: () => undefined },
      ask: async () => '',
      lines: lines(),
      signal: new AbortController().signal,
      configFolder: '/nowhere',
      platform: hurriedPlatform(),
    },
    '1.2.3',
  );
  return {
    said,
    write: (message: object | string) => {
      say(typeof message === 'string' ? message : JSON.stringify({ jsonrpc: '2.0', ...message }));
    },
    /** The response to a request, once it has arrived. */
    respond: async (id: unknown): Promise<Said> => {
      await until(() => said.some((each) => each.id === id), `request ${String(id)} is answered`);
      return said.find((each) => each.id === id) ?? {};
    },
    /** Ends the input. @returns The exit code. */
    end: () => {
      say(null);
      return ended;
    },
  };
}
