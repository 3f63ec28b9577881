import { Refusal } from '../../domain/refusal.ts';
import type { HttpMiddleware } from '../context.ts';

/** The hosts of a gateway whose files have a host of their own; each with its port where it is unusual. */
export interface SeparateHosts {
  media: string;
  /** Those of the API and the site. */
  site: readonly string[];
  /** Path of the files on their host, such as `/` or `/media`. */
  mediaPath: string;
}

/**
 * Keeps files and pages on hosts of their own: a file that a browser would run has nothing there that
 * it could act upon, and the site serves no file of a stranger's making. A host that is neither, such as
 * the one by which a proxy or a probe calls us, is let through.
 * @throws Refusal `not_found`.
 */
export function separateHosts({ media, site, mediaPath }: SeparateHosts): HttpMiddleware {
  const base = mediaPath.replace(/\/$/, '');
  return (ctx, next) => {
    // Both what a proxy says it was asked for and what we were: callers can write X-Forwarded-Host.
    const named = [ctx.host, ctx.req.headers.host ?? ''].map((host) => host.toLowerCase());
    const isFile = ['/outputs/', '/inputs/'].some((part) => ctx.path.startsWith(base + part));
    const isMisplaced = isFile ? named.some((host) => site.includes(host)) : named.includes(media);
    if (isMisplaced) throw new Refusal('not_found');
    return next();
  };
}
