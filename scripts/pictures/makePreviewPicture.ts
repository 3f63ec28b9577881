import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPreviewRenderer } from '@framegate/preview-renderer';
import { writeChanged } from './writeChanged.ts';

/** Size of the picture in pixels. */
const size = '640x360';

/** Renders a still of the preview renderer in this process and writes it to a file. */
export async function makePreviewPicture(file: string): Promise<void> {
  const workDir = await mkdtemp(join(tmpdir(), 'pictures-'));
  const quiet = () => undefined;
  const renderer = createPreviewRenderer({
    workDir,
    log: { info: quiet, warn: quiet, error: quiet },
    now: Date.now,
    newId: randomUUID,
  });
  try {
    const { images } = await renderer.imageModel('preview').doGenerate({
      prompt: 'A red fox crosses a frozen lake at dawn, breath visible in the cold air',
      n: 1,
      size,
      aspectRatio: undefined,
      seed: 10,
      files: undefined,
      mask: undefined,
      providerOptions: { preview: { outputFormat: 'webp' } },
    });
    const [image] = images;
    if (!(image instanceof Uint8Array)) throw new Error('the renderer made no image');
    await writeChanged(file, image);
  } finally {
    await renderer.close();
    await rm(workDir, { recursive: true, force: true });
  }
}
