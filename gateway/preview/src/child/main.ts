/**
 * Process that renders one request: `main.ts <request folder> <output folder>`. It writes `outcome.json` to the
 * output folder; without that file it has crashed.
 */
import { writeFile } from 'node:fs/promises';
import os from 'node:os';
import { join } from 'node:path';
import { describeFailure, type RenderResult } from '../spec.ts';

// Set before loading the native libraries, whose threads inherit the priority. The lowest priority would get no
// processor time on a busy machine.
os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL);
// The parent process has ended; the next process on the folder renders again.
process.on('disconnect', () => process.exit(1));

const [folder = '', outputFolder = ''] = process.argv.slice(2);
const outcome = await run();
await writeFile(join(outputFolder, 'outcome.json'), JSON.stringify(outcome));
process.exit(0);

async function run(): Promise<RenderResult> {
  try {
    const { render } = await import('./render.ts');
    return { ok: true, files: await render(folder, outputFolder) };
  } catch (error) {
    return { ok: false, error: describeFailure(error) };
  }
}
