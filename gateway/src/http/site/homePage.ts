import type { ApiDocument } from './apiDocument.ts';
import { html } from './html.ts';
import { page } from './page.ts';

/** The page at `/`: what this is, and where to go. */
export function homePage(api: ApiDocument, hasAccounts: boolean): string {
  return page(
    'Framegate',
    html`<main class="welcome">
      <img src="/site/icon.svg" alt="" width="72" height="72" />
      <h1>Framegate</h1>
      <p>Create videos and images through one small API, and pay with your credits.</p>
      ${
        hasAccounts &&
        html`<p>
          <a class="button" href="/sign-up">Create an account</a>
          <a class="button second" href="/sign-in">Sign in</a>
        </p>`
      }
      <p>
        <a class="${hasAccounts ? '' : 'button'}" href="/docs">Read the API reference</a>
      </p>
      <p class="address">The API is at <code>${api.servers[0]?.url}</code></p>
    </main>`,
  );
}
