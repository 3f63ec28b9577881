import { availableCredits } from '../../../domain/credits/credits.ts';
import { text } from '../../../texts/text.ts';
import { brandLink } from '../../pages/brand.ts';
import { sendPage } from '../../pages/document.ts';
import { icon, tokenField } from '../../pages/elements.ts';
import { formatNumber, type Html, html, richText } from '../../pages/html.ts';
import { languageForm } from '../../pages/languageChoice.ts';
import { formPageHeaders } from '../../pages/pageHeaders.ts';
import { shownOrigins } from '../showpieceFiles.ts';
import { statusLink } from '../statusPage.ts';
import { historyPath } from './generations/historyFilter.ts';
import { type OutsideLinks, supportWay } from './outsideLinks.ts';
import { mayOpen } from './pageRights.ts';
import { scriptTexts } from './scriptTexts.ts';
import { erasureBanner } from './settings/erasureParts.ts';
import { keysPath, settingsPath, teamPath } from './settingsPaths.ts';
import { type AccountSite, type Site, type SiteContext, takeNotice } from './site.ts';
import { switcher } from './teams/teamViews.ts';

/** Creates the function that renders pages with the site's header and notices. */
export function createShowPage({ deps }: AccountSite): Site['showPage'] {
  const { publicUrls, outsideLinks } = deps;
  const headers = formPageHeaders(publicUrls);
  // The cards of models show their pictures.
  const pictures = deps.brand.showpieces.map(({ picture }) => picture);
  const studioHeaders = formPageHeaders(publicUrls, shownOrigins(pictures));
  return (ctx, { title, content, status = 200, refreshSeconds, script = 'site' }) => {
    const { account, brand } = ctx.state;
    const notice = account && takeNotice(ctx);
    const available = account && availableCredits(account.lots, deps.clock.now());
    const body = html`<header class="top">
        ${brandLink(brand, '/')}
        ${available === null ? signedOutBar() : signedInBar(ctx, available)}
      </header>
      <main id="content" class="page ${!account && 'narrow'}">
        ${notice !== null && html`<p class="notice" role="status">${notice}</p>`}
        ${account !== null && account.status !== 'active' && suspensionNotice(outsideLinks)}
        ${account !== null && erasureBanner(ctx)} ${account !== null && crumb(ctx.path, title)}
        ${content}
      </main>`;
    ctx.set(script === 'studio' ? studioHeaders : headers);
    sendPage(ctx, status, {
      title: `${title} · ${brand.name}`,
      stylesheet: '/site/site.css',
      script: `/site/${script}.js`,
      texts: scriptTexts(script),
      ...(script !== 'site' && {
        head: html`<link rel="stylesheet" href="/site/${script}.css" />`,
      }),
      refreshSeconds,
      body,
      foot: html`${statusLink()}
      ${languageForm(deps.brand.languages, ctx.method === 'GET' ? ctx.url : '/')}`,
    });
  };
}

function suspensionNotice(links: OutsideLinks): Html {
  return html`<p class="notice danger" role="alert">
    ${richText('site.suspended', { support: supportWay(links, text('site.supportAtStart')) })}
  </p>`;
}

const signedOutBar = () =>
  html`<div class="who">
    <a href="/docs">${text('site.docs')}</a> <a href="/sign-in">${text('site.signIn')}</a>
  </div>`;

const sections = [
  ['/studio', 'site.studio'],
  [historyPath, 'site.history'],
  ['/credits', 'site.credits'],
  [keysPath, 'site.keys'],
  [settingsPath, 'site.account'],
  ['/docs', 'site.docs'],
] as const;

function signedInBar(ctx: SiteContext, available: number): Html {
  const credits = formatNumber(available);
  const { lacksFactor } = ctx.state;
  const may = (to: string) => to === '/docs' || mayOpen(ctx.state, to);
  const links = sections
    .filter(([to]) => may(to))
    .map(
      ([to, label]) =>
        html`<li>
          <a href="${to}" ${isWithin(ctx.path, to) && html`aria-current="page"`}>${text(label)}</a>
        </li>`,
    );
  return html`<nav class="site" aria-label="${text('site.navigation')}">
      <ul>
        ${links}
      </ul>
    </nav>
    <div class="who">
      ${switcher(ctx)}
      ${
        !lacksFactor &&
        html`<a
          class="balance"
          ${may('/credits') && html`href="/credits"`}
          aria-label="${text('site.available', { credits: available })}"
          >${icon('coins')} ${credits}</a
        >`
      }
      <form action="/sign-out" method="post">
        ${tokenField(ctx)}<button class="plain">${text('site.signOut')}</button>
      </form>
    </div>`;
}

/** Settings with pages or forms below them. A page below none of these is below the account. */
const settings = [
  [teamPath, 'team.title'],
  [keysPath, 'site.keys'],
  [settingsPath, 'site.account'],
] as const;

/** The link from a page of settings to its parent. */
function crumb(path: string, title: string): Html | null {
  if (!path.startsWith('/settings/')) return null;
  const [to, label] = settings.find(([each]) => path.startsWith(`${each}/`)) ?? settings[2];
  // A form is below its page, which it may show again.
  const isTop = path === to || path === keysPath || title === text(label);
  return isTop ? null : html`<p class="crumb"><a href="${to}">${text(label)}</a></p>`;
}

function isWithin(path: string, section: string): boolean {
  if (section === settingsPath && path.startsWith('/settings/')) {
    return !isWithin(path, keysPath);
  }
  const isGeneration = section === historyPath && /^\/(generations|collections)\//.test(path);
  return path === section || path.startsWith(`${section}/`) || isGeneration;
}
