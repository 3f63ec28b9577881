import {
  showpieceFiles,
  showpieceKey,
  type Showpiece,
  type ShowpieceFile,
} from '../../domain/showpiece.ts';
import { callerAddress, type HttpMiddleware } from '../context.ts';
import { createAnswerLimits, enterAnswer } from '../media/answerLimits.ts';
import { refuse, serveFile, type ServeDeps } from '../media/serveFile.ts';

const prefix = '/site/showpieces';
/** In seconds: a generation's files never change, but a file that is taken down must disappear soon. */
const maxAge = 300;
const types: Readonly<Record<ShowpieceFile, string>> = {
  'small.webp': 'image/webp',
  'large.webp': 'image/webp',
  'clip.mp4': 'video/mp4',
};

/** Path of a file of a showpiece. */
export const showpiecePath = ({ generationId }: Showpiece, file: ShowpieceFile): string =>
  `${prefix}/${generationId}/${file}`;

/** Files for pages. */
export interface Showcase {
  /** The same array until it changes. */
  list: () => Promise<readonly Showpiece[]>;
  files: ServeDeps;
}

/** Serves the files of the showpieces in the list, to everyone. */
export function showpieceAnswers({ list, files }: Showcase): HttpMiddleware {
  const limits = createAnswerLimits();
  return async (ctx) => {
    const [, id, name] = /^\/site\/showpieces\/(\w+)\/([\w.]+)$/.exec(ctx.path) ?? [];
    const file = showpieceFiles.find((each) => each === name);
    const isListed = file && (await list()).some(({ generationId }) => generationId === id);
    const missing = () => {
      refuse(ctx, 404, 'There is no such file.');
    };
    if (id === undefined || !isListed) {
      missing();
      return;
    }
    const key = showpieceKey(id, file);
    if (!enterAnswer(ctx, limits, { address: callerAddress(ctx), file: key })) return;
    ctx.set('Content-Security-Policy', "default-src 'none'; sandbox");
    await serveFile(ctx, files, {
      key,
      cacheControl: `public, max-age=${maxAge}`,
      describe: () => ({ 'Content-Type': types[file] }),
      missing,
    });
  };
}
