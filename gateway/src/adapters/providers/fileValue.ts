import type {
  Experimental_VideoModelV4File as VideoFile,
  ImageModelV4File as ImageFile,
} from '@ai-sdk/provider';

/** A file as one text: its URL, or its bytes as a data URI (RFC 2397). */
export function fileValue(file: VideoFile | ImageFile): string {
  if (file.type === 'url') return file.url;
  const { data, mediaType } = file;
  const base64 = typeof data === 'string' ? data : Buffer.from(data).toString('base64');
  return `data:${mediaType};base64,${base64}`;
}

/** The files of one kind, each as one text. */
export function fileValues(
  files: readonly VideoFile[],
  kind: 'image' | 'video' | 'audio',
): string[] {
  return files.filter(({ mediaType }) => mediaType?.startsWith(`${kind}/`)).map(fileValue);
}
