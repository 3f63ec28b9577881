import { mayDo, type StaffRole } from '../../application/staff/rights.ts';
import { html, type Html } from '../site/html.ts';
import type { ConsoleAction } from './actionPages.ts';

/**
 * Buttons that lead to the confirmation pages of what this role may do.
 * @param path The target's own page, such as `/staff/generations/gen_…`.
 * @param fits Whether an action makes sense for the target as it is.
 */
export function actionLinks(
  path: string,
  role: StaffRole,
  actions: readonly ConsoleAction[],
  fits: (slug: string) => boolean,
): Html {
  const links = actions
    .filter(({ slug, action }) => fits(slug) && mayDo(role, action))
    .map(
      ({ slug, title, final }) =>
        html`<a class="button ${final === true ? 'danger' : ''}" href="${path}/${slug}"
          >${title}</a
        > `,
    );
  return html`<p class="actions">${links}</p>`;
}
