import { type GenerationRecord, mediaFormatOf, mediaHeadBytes } from '../generated/contract';

/**
 * Why a response is not a file of this kind: a page instead of it, or bytes of another format.
 * @param contentType Without its parameters.
 * @returns Undefined if it is one.
 */
export async function whyNotMedia(
  kind: GenerationRecord['type'],
  contentType: string,
  body: NodeJS.ReadableStream,
): Promise<string | undefined> {
  if (!contentType.startsWith(`${kind}/`)) {
    return `${contentType || 'something without a type'} was received instead of the ${kind}`;
  }
  const mediaType = mediaFormatOf(await beginningOf(body))?.mediaType ?? '';
  return mediaType.startsWith(`${kind}/`)
    ? undefined
    : `the file is not ${kind === 'image' ? 'an image' : 'a video'}`;
}

/** The first bytes of a body, one character per byte; the body keeps them. */
function beginningOf(body: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const bytes = body.read(mediaHeadBytes);
      if (bytes === null) return;
      body.removeListener('readable', look);
      body.unshift(bytes);
      const first = bytes.slice(0, mediaHeadBytes);
      resolve(typeof first === 'string' ? first : String.fromCharCode(...first));
    };
    body.once('error', reject);
    body.once('close', () => resolve(''));
    body.once('end', () => resolve(''));
    body.on('readable', look);
  });
}
