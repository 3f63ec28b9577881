import type { GenerationRecord } from '../generated/contract';

/** Bytes at the beginning of a file that tell its format. */
const signatureLength = 12;

/** How the files of each kind begin, one character for each byte; `?` stands for any. */
const signatures: Readonly<Partial<Record<string, readonly string[]>>> = {
  video: ['????ftyp', '\x1aE\xdf\xa3'],
  image: ['\x89PNG', '\xff\xd8\xff', 'RIFF????WEBP', 'GIF8', '????ftypavif'],
};

/**
 * Why an answer is no file of this kind: a page that stands in for it, or bytes of another format.
 * @param contentType Without its parameters.
 * @returns undefined when it is one.
 */
export async function whyNotMedia(
  kind: GenerationRecord['type'],
  contentType: string,
  body: NodeJS.ReadableStream,
): Promise<string | undefined> {
  if (!contentType.startsWith(`${kind}/`)) {
    return `${contentType || 'something without a type'} came instead of the ${kind}`;
  }
  const first = await beginningOf(body);
  const fits = (signature: string) =>
    [...signature].every((byte, index) => byte === '?' || first[index] === byte);
  return (signatures[kind]?.some(fits) ?? true) ? undefined : `what came is no ${kind}`;
}

/** The first bytes of a body, one character for each; the body keeps them. */
function beginningOf(body: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const bytes = body.read(signatureLength);
      if (bytes === null) return;
      body.removeListener('readable', look);
      body.unshift(bytes);
      const first = bytes.slice(0, signatureLength);
      resolve(typeof first === 'string' ? first : String.fromCharCode(...first));
    };
    body.once('error', reject);
    body.once('close', () => resolve(''));
    body.once('end', () => resolve(''));
    body.on('readable', look);
  });
}
