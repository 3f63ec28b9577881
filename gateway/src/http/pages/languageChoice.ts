import { dayMs } from '@framegate/contract';
import { isLanguage, type Language, languageNames } from '../../domain/text/language.ts';
import { inLanguage, language } from '../../texts/language.ts';
import { text } from '../../texts/text.ts';
import type { HttpContext } from '../context.ts';
import { type Next, pageCookie } from './context.ts';
import { type Html, html } from './html.ts';

const cookie = pageCookie('fg_language', { maxAgeMs: 365 * dayMs });

/** Path of the form that changes the language. */
export const languagePath = '/language';

/**
 * The language of a request: the one chosen on our pages, else the first offered language of the browser's settings,
 * else the first one offered.
 * @param offered At least one.
 */
export function languageOf(ctx: HttpContext, offered: readonly Language[]): Language {
  const chosen = cookie.read(ctx);
  if (isLanguage(chosen) && offered.includes(chosen)) return chosen;
  const preferred = ctx.acceptsLanguages(...offered);
  return isLanguage(preferred) ? preferred : (offered[0] ?? 'en');
}

/** Answers requests in the language of their browser. */
export function speakLanguage(offered: readonly Language[]) {
  return (ctx: HttpContext, next: Next): Promise<unknown> =>
    inLanguage(languageOf(ctx, offered), next);
}

/** Remembers a language in the browser. */
export function rememberLanguage(ctx: HttpContext, chosen: Language): void {
  cookie.write(ctx, chosen);
}

/**
 * Buttons for the page's other languages; nothing if only one is offered.
 * @param path Path to return to.
 */
export function languageForm(offered: readonly Language[], path: string): Html | null {
  const others = offered.filter((each) => each !== language());
  if (others.length === 0) return null;
  const buttons = others.map(
    (each) =>
      html`<button class="plain" name="language" value="${each}" lang="${each}">
        ${languageNames[each]}
      </button>`,
  );
  return html`<form action="${languagePath}" method="post" aria-label="${text('site.language')}">
    <input type="hidden" name="path" value="${path}" />${buttons}
  </form>`;
}
