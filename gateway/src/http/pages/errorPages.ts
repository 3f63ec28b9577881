import type { ErrorCode } from '@framegate/contract';
import { isClientGone } from '../clientGone.ts';
import { logError, type AnswerDeps } from '../middleware/answerErrors.ts';
import { headersOf, refusalFor, statusOf } from '../presentRefusal.ts';
import type { Next, PageContext } from './context.ts';
import { PlainRefusal } from '../../application/plainRefusal.ts';

/** An error as a page shows it. */
export interface ShownError {
  status: number;
  message: string;
}

/** Shows a page for what a later step throws and does not show in its own form. */
export function errorPages<Context extends PageContext>(options: {
  deps: AnswerDeps;
  show: (ctx: Context, error: ShownError) => void;
  /** Explains the errors that only these pages have. */
  explain?: (error: unknown) => ShownError | null;
  /** Sentences in place of those that the API has for a program. */
  messages: Partial<Record<ErrorCode, string>>;
}): (ctx: Context, next: Next) => Promise<void> {
  const { deps, show, explain, messages } = options;
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (isClientGone(error)) throw error;
      const shown = explain?.(error) ?? explainForm(error);
      if (shown) {
        show(ctx, shown);
        return;
      }
      logError(error, ctx.state.requestId, deps);
      const refusal = refusalFor(error, deps.isDatabaseTrouble);
      const message = messages[refusal.code] ?? refusal.message;
      ctx.set(headersOf(refusal));
      show(ctx, { status: statusOf(refusal), message });
    }
  };
}

function explainForm(error: unknown): ShownError | null {
  if (!(error instanceof PlainRefusal)) return null;
  const { status, message, fields } = error;
  return { status, message: message || Object.values(fields).join(' ') };
}
