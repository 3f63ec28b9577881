/**
 * Makes the pictures of the documentation: `node scripts/pictures.ts`. The still of the preview
 * renderer is rendered anew, so it always shows what a stranger gets.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createPreviewRenderer } from '../gateway/src/adapters/providers/preview/createPreviewRenderer.ts';

const IMAGES = fileURLToPath(new URL('../docs/images/', import.meta.url));

/** Size of a picture in a document, pixels. */
const SIZE = '640x360';

/** Renders the still of the preview renderer to docs/images/preview.webp and returns its path. */
export async function makePreviewPicture(): Promise<string> {
  const workDir = await mkdtemp(path.join(tmpdir(), 'pictures-'));
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
      size: SIZE,
      aspectRatio: undefined,
      seed: 10,
      files: undefined,
      mask: undefined,
      providerOptions: { preview: { outputFormat: 'webp' } },
    });
    const [image] = images;
    if (!(image instanceof Uint8Array)) throw new Error('the renderer made no image');
    await mkdir(IMAGES, { recursive: true });
    const file = path.join(IMAGES, 'preview.webp');
    await writeFile(file, image);
    return file;
  } finally {
    await renderer.close();
    await rm(workDir, { recursive: true, force: true });
  }
}

if (import.meta.main) console.log(await makePreviewPicture());
