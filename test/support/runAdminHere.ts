import { runAdmin } from '../../gateway/src/compose/runAdmin.ts';
import type { Ended } from './runNode.ts';

/**
 * Runs a command of `npm run admin` in the test's process: a process of its own takes a second of processor time to
 * start.
 * @param env Its whole environment except PATH and HOME.
 * @param input Its standard input.
 */
export async function runAdminHere(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  input = '',
): Promise<Ended> {
  const { PATH, HOME } = process.env;
  let [stdout, stderr] = ['', ''];
  const status = await runAdmin(args, {
    print: async (text) => void (stdout += text),
    report: (text) => void (stderr += `${text}\n`),
    readLine: async () => input.split('\n', 1)[0] ?? '',
    environment: { PATH, HOME, ...env },
    openTerminal: async () => null,
  });
  return { status, stdout, stderr };
}
