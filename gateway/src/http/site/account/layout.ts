import { availableCredits } from '../../../domain/credits.ts';
import { mayInTeam } from '../../../domain/teamRoles.ts';
import { formatNumber, html, type Html } from '../../pages/html.ts';
import { icon } from '../../pages/elements.ts';
import { answerPage, brand, formPageHeaders, tokenField } from '../../pages/layout.ts';
import { rightFor } from './pageRights.ts';
import { switcher } from './teamViews.ts';
import {
  supportWay,
  takeNotice,
  type AccountSite,
  type Site,
  type SiteContext,
  type OutsideLinks,
} from './site.ts';

/** Creates the function that renders pages with the site's header and notices. */
export function createShowPage({ addresses, deps, links }: AccountSite): Site['showPage'] {
  const headers = formPageHeaders(addresses.mediaUrl);
  return (ctx, { title, content, status = 200, refreshSeconds, script = 'site' }) => {
    const { account } = ctx.state;
    const notice = account && takeNotice(ctx);
    const available = account && availableCredits(account.lots, deps.clock.now());
    const body = html`<a class="skip" href="#content">Skip to content</a>
      <header class="top">
        ${brand('/')} ${available === null ? signedOutBar : signedInBar(ctx, available)}
      </header>
      <main id="content" class="page ${account ? '' : 'narrow'}">
        ${notice !== null && html`<p class="notice" role="status">${notice}</p>`}
        ${account !== null && account.status !== 'active' && suspended(links)} ${content}
      </main>`;
    ctx.set(headers);
    answerPage(ctx, status, {
      title: `${title} · Framegate`,
      stylesheet: '/site/site.css',
      script: `/site/${script}.js`,
      ...(script !== 'site' && {
        head: html`<link rel="stylesheet" href="/site/${script}.css" />`,
      }),
      refreshSeconds,
      body,
    });
  };
}

function suspended(links: OutsideLinks): Html {
  return html`<p class="notice danger" role="alert">
    This account is suspended and cannot create anything. ${supportWay(links, 'Support')} can tell
    you why.
  </p>`;
}

const signedOutBar = html`<div class="who">
  <a href="/docs">Docs</a> <a href="/sign-in">Sign in</a>
</div>`;

const sections = [
  ['/studio', 'Studio'],
  ['/history', 'History'],
  ['/credits', 'Credits'],
  ['/settings/public-api', 'API keys'],
  ['/settings/account', 'Account'],
  ['/docs', 'Docs'],
] as const;

function signedInBar(ctx: SiteContext, available: number): Html {
  const credits = formatNumber(available);
  const { role } = ctx.state;
  const may = (to: string) => {
    const right = rightFor(to);
    return right === 'own' || to === '/docs' || mayInTeam(role, right);
  };
  const links = sections
    .filter(([to]) => may(to))
    .map(
      ([to, label]) =>
        html`<li>
          <a href="${to}" ${isWithin(ctx.path, to) && html`aria-current="page"`}>${label}</a>
        </li>`,
    );
  return html`<nav class="site" aria-label="Site">
      <ul>
        ${links}
      </ul>
    </nav>
    <div class="who">
      ${switcher(ctx)}
      <a
        class="balance"
        ${may('/credits') && html`href="/credits"`}
        aria-label="${credits} credits available"
        >${icon('coins')} ${credits}</a
      >
      <form action="/sign-out" method="post">
        ${tokenField(ctx)}<button class="plain">Sign out</button>
      </form>
    </div>`;
}

function isWithin(path: string, section: string): boolean {
  const isGeneration = section === '/history' && /^\/(generations|collections)\//.test(path);
  return path === section || path.startsWith(`${section}/`) || isGeneration;
}
