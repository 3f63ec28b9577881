import type {
  Experimental_VideoModelV4CallOptions as CallOptions,
  Experimental_VideoModelV4File as VideoFile,
  SharedV4Warning,
} from '@ai-sdk/provider';
import { fileValue } from '../fileValue.ts';
import type { JsonObject } from '../routesFileSchema.ts';

/** The name of its options in `providerOptions`. */
export const arkName = 'modelark';

/** Our resolutions by the short side in pixels. */
const resolutions: Readonly<Record<string, string>> = {
  '480': '480p',
  '720': '720p',
  '1080': '1080p',
};

/**
 * The body that creates a task (ModelArk, Video Generation API). The provider's own options are laid
 * over it as they are, with their documented names; null takes a field away. The watermark is off unless they ask for it. Frames
 * and references exclude each other; a last frame needs a first.
 */
export function arkTask(
  model: string,
  options: CallOptions,
): { body: JsonObject; warnings: SharedV4Warning[] } {
  const warnings: SharedV4Warning[] = [];
  const unsupported = (feature: string) => warnings.push({ type: 'unsupported', feature });
  const frame = (type: string) =>
    options.frameImages?.find(({ frameType }) => frameType === type)?.image;
  const first = frame('first_frame') ?? options.image;
  const last = frame('last_frame');
  const references = options.inputReferences ?? [];
  if (first && references.length > 0) unsupported('inputReferences');
  if (options.n > 1) unsupported('n');
  if (options.fps !== undefined && options.fps !== 24) unsupported('fps');
  const resolution = options.resolution === undefined ? undefined : nameOf(options.resolution);
  if (resolution === null) unsupported('resolution');
  const content = [
    ...(options.prompt === undefined ? [] : [{ type: 'text', text: options.prompt }]),
    // Alone, a first frame has no role.
    ...(first ? [part('image', first, last ? 'first_frame' : null)] : []),
    ...(last ? [part('image', last, 'last_frame')] : []),
    ...(first
      ? []
      : references.map((file) => part(kindOf(file), file, `reference_${kindOf(file)}`))),
  ];
  const fields = {
    ratio: options.aspectRatio,
    resolution,
    duration: options.duration,
    seed: options.seed,
    generate_audio: options.generateAudio,
  };
  const own = options.providerOptions[arkName];
  const all = { model, content, watermark: false, ...fields, ...own };
  const body = Object.entries(all).filter(([, value]) => value !== undefined && value !== null);
  return { body: Object.fromEntries(body) as JsonObject, warnings };
}

function part(kind: 'image' | 'video' | 'audio', file: VideoFile, role: string | null): JsonObject {
  const name = `${kind}_url`;
  return { type: name, [name]: { url: fileValue(file) }, ...(role === null ? {} : { role }) };
}

function kindOf({ mediaType }: VideoFile): 'image' | 'video' | 'audio' {
  if (mediaType?.startsWith('video/')) return 'video';
  return mediaType?.startsWith('audio/') ? 'audio' : 'image';
}

/** `1280x720` is `720p`; null when ModelArk does not make it. */
function nameOf(size: string): string | null {
  const short = Math.min(...size.split('x').map(Number));
  return resolutions[String(short)] ?? null;
}
