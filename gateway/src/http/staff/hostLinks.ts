import { html, type Html } from '../site/html.ts';

/** Ways to decide about a host. */
export function hostLinks(accountId: string, keyId: string, rule: string, state: string): Html {
  const link = (slug: string, words: string) =>
    html`<a
      href="/staff/accounts/${accountId}/${slug}?key=${keyId}&amp;host=${encodeURIComponent(rule)}"
      >${words}</a
    > `;
  return html`${state === 'approved' ? null : link('approve-host', 'approve')}
  ${state === 'refused' ? null : link('refuse-host', 'refuse')}`;
}
