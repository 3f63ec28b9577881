/**
 * The process that renders one request and ends: `render.ts <request folder> <output folder>`. It
 * leaves `outcome.json` in the output folder; without one it crashed.
 */
import { writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { failureText } from '../renderFailure.ts';
import type { RenderResult } from '../renderSpec.ts';

// Before the native libraries start their threads, which take over the priority of this one. Not the
// lowest there is: on a busy machine that would be none at all.
os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL);
// The gateway is gone: whoever comes next renders again.
process.on('disconnect', () => process.exit(1));

const [folder = '', outputFolder = ''] = process.argv.slice(2);
const outcome = await render();
await writeFile(path.join(outputFolder, 'outcome.json'), JSON.stringify(outcome));
process.exit(0);

async function render(): Promise<RenderResult> {
  try {
    const { renderRequest } = await import('./renderRequest.ts');
    return { ok: true, files: await renderRequest(folder, outputFolder) };
  } catch (error) {
    return { ok: false, error: failureText(error) };
  }
}
