import type { HttpContext } from './context.ts';

/** Media type of every JSON answer. */
export const jsonType = 'application/json; charset=utf-8';

/** Answers JSON text as it is. */
export function answerJson(ctx: HttpContext, status: number, text: string): void {
  ctx.status = status;
  ctx.res.setHeader('Content-Type', jsonType);
  ctx.body = text;
}
