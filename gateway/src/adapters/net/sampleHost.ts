import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Host of the bundled sample pictures, served from this package's own files. */
export const sampleHost = 'samples.framegate.example';

/** Folder of the sample pictures. */
export const sampleFolder = fileURLToPath(new URL('../../../assets/samples', import.meta.url));

/** Their names, which are also the paths on the host (drawn by scripts/samplePictures.ts). */
export const samplePictures = ['harbour-at-dusk.jpg', 'mountain-lake.jpg', 'balloons.jpg'] as const;

/** The file of a sample's WebP poster, for pages; the host does not serve it. */
export function samplePoster(name: string): string {
  return join(sampleFolder, 'posters', name.replace('.jpg', '.webp'));
}
