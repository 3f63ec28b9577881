/**
 * The process that renders one request and ends: `main.ts <request folder> <output folder>`. It leaves
 * `outcome.json` in the output folder; without that file it crashed.
 */
import { writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { failureText, type RenderResult } from '../spec.ts';

// Set before the native libraries are loaded: their threads inherit the priority. Not the lowest, which
// would get no processor time at all on a busy machine.
os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL);
// The parent process has ended: the next one on the folder renders again.
process.on('disconnect', () => process.exit(1));

const [folder = '', outputFolder = ''] = process.argv.slice(2);
const outcome = await run();
await writeFile(path.join(outputFolder, 'outcome.json'), JSON.stringify(outcome));
process.exit(0);

async function run(): Promise<RenderResult> {
  try {
    const { render } = await import('./render.ts');
    return { ok: true, files: await render(folder, outputFolder) };
  } catch (error) {
    return { ok: false, error: failureText(error) };
  }
}
