import { orderedFilm } from '../support/fakeArk/orderedFilm.ts';
import { sampleFilm, samplePicture } from '../support/sampleMedia.ts';
import { base64, bytes, file, type Said } from './matrixProtocols.ts';

/** A response with the file in place of the words that stand for it. */
export type Filled = [number, object | Buffer];

/** The files that a server hands out under their URLs. */
export interface MatrixFiles {
  at(path: string): Buffer | undefined;
  fillIn(said: Said, made?: Buffer): Filled;
}

export function createMatrixFiles(): MatrixFiles {
  const files = new Map<string, Buffer>();
  return {
    at: (path) => files.get(path),
    fillIn([status, body], made = Buffer.alloc(0)) {
      if (body === bytes) return [status, made];
      const path = `/${String(files.size)}`;
      files.set(path, made);
      const text = JSON.stringify(body)
        .replaceAll(file, `https://files.example${path}`)
        .replaceAll(base64, made.toString('base64'));
      return [status, JSON.parse(text) as object];
    },
  };
}

/**
 * The film or picture of an order.
 * @param parameters Of a video; none for a picture by the defaults.
 */
export function orderedFile(
  parameters: Record<string, unknown> | undefined,
  isSmall: boolean,
): Promise<Buffer> {
  if (!parameters) return samplePicture(isSmall ? 64 : undefined);
  const { duration_seconds: duration, aspect_ratio: ratio, ...more } = parameters;
  const film = orderedFilm({ ...more, duration, ratio });
  return sampleFilm(isSmall ? { ...film, width: 64, height: 36 } : film);
}
