import type { Router } from '@koa/router';
import { minuteMs } from '@framegate/contract';
import { refuseBeyond } from '../../../../application/allowances.ts';
import { presentPosters } from '../../../../application/generations/presentGeneration.ts';
import type { Share } from '../../../../application/ports/wall.ts';
import { findShared } from '../../../../application/wall/shares.ts';
import type { Generation } from '../../../../domain/generations/generation.ts';
import { signOutputUrl } from '../../../../domain/generations/mediaUrl.ts';
import { addressGroup } from '../../../../domain/network/addresses.ts';
import { Refusal } from '../../../../domain/refusal.ts';
import { text } from '../../../../texts/text.ts';
import { atWork } from '../../../atWork.ts';
import { compressPage } from '../../../compressPage.ts';
import { callerAddress } from '../../../context.ts';
import { brandLink } from '../../../pages/brand.ts';
import { beginPage } from '../../../pages/context.ts';
import { sendPage } from '../../../pages/document.ts';
import { outputsPart } from '../../../pages/elements.ts';
import { errorPages } from '../../../pages/errorPages.ts';
import { type Html, html } from '../../../pages/html.ts';
import { speakLanguage } from '../../../pages/languageChoice.ts';
import { sharedPageHeaders } from '../../../pages/pageHeaders.ts';
import type { ResponseDeps } from '../../../respondToErrors.ts';
import { strictRouter } from '../../../strictRouter.ts';
import { atWorkOnSite, type Site, type SiteContext, type SiteState } from '../site.ts';
import { numberAmong } from './generationActs.ts';

/** Loads of shared pages per minute from one address, or one /64 of IPv6. */
export const sharedPerMinute = 60;

/** File URLs of a shared page are valid for one to two of these spans, in ms, and identical within one. */
const spanMs = 15 * minuteMs;

/**
 * The page behind a link that an owner gave away. It needs no sign-in and sets no cookie. It shows the files and, if
 * the owner chose to, the prompt; nothing about the account, its keys or a provider.
 */
export function sharedPage(site: Site, responseDeps: ResponseDeps): Router<SiteState> {
  const { deps } = site;
  const { allowances, publicUrls } = deps;
  const router = strictRouter<SiteState>();
  router.use(beginPage(deps, { session: null, account: null, inputProblems: {} }));
  router.use(speakLanguage(deps.brand.languages));
  router.use(
    errorPages({
      deps: responseDeps,
      show: (ctx: SiteContext, { status, message }) => {
        const title = text(status === 429 ? 'errors.tooMany' : 'share.broken');
        show(
          ctx,
          status,
          title,
          html`<h1>${title}</h1>
            <p>${message}</p>`,
        );
      },
    }),
  );
  router.use(atWork(atWorkOnSite(site), 'visit'));
  router.get('/shared/:token', compressPage, async (ctx: SiteContext) => {
    const caller = addressGroup(callerAddress(ctx));
    const waitSeconds = allowances.take(caller, 'shared-pages', sharedPerMinute);
    refuseBeyond('shared-pages', sharedPerMinute, waitSeconds);
    const shared = await findShared(deps, ctx.params['token'] ?? '');
    if (!shared) throw new Refusal('share_not_found');
    const { share, generation } = shared;
    const title = text(generation.type === 'video' ? 'share.sharedVideo' : 'share.sharedImages');
    const files = filesOf(generation, share);
    show(ctx, 200, title, resultPart(generation, share, title, files), previewPart(files, title));
  });

  function show(
    ctx: SiteContext,
    status: number,
    title: string,
    content: Html,
    preview: Html | null = null,
  ): void {
    ctx.set(sharedPageHeaders(publicUrls));
    sendPage(ctx, status, {
      title: `${title} · ${deps.brand.name}`,
      stylesheet: '/site/site.css',
      head: html`<meta name="robots" content="noindex, nofollow" />${preview}`,
      body: html`<header class="top">${brandLink(deps.brand, '/')}</header>
        <main id="content" class="page">${content}</main>`,
    });
  }

  /** URLs of the files, and of the picture that stands for them; null without one. */
  function filesOf(generation: Generation, share: Share) {
    const nowMs = deps.clock.now();
    const spanStartMs = Math.floor(nowMs / spanMs) * spanMs;
    const until = Math.min(
      spanStartMs + 2 * spanMs,
      share.expiresAt,
      generation.outputsRemoveAt ?? Infinity,
    );
    // The time of deletion limits the validity of URLs.
    const limited = { ...generation, outputsRemoveAt: until };
    const { mediaUrl, mediaSigningKeys: signingKeys } = publicUrls;
    const urls = generation.outputs.map(({ extension }, index) => {
      const output = { mediaUrl, signingKeys, generationId: generation.id, index, extension };
      return signOutputUrl({ ...output, nowMs, removedAt: until }).url;
    });
    const [poster] = presentPosters(limited, publicUrls, nowMs, 960);
    const picture = poster ?? (generation.type === 'image' ? urls[0] : null) ?? null;
    return { nowMs, shown: limited, urls, picture };
  }

  function resultPart(
    { prompt }: Generation,
    share: Share,
    title: string,
    { nowMs, shown: limited, urls }: ReturnType<typeof filesOf>,
  ): Html {
    return html`<h1>${title}</h1>
      ${outputsPart(limited, { publicUrls, nowMs }, { urls, title })}
      <div class="inline">
        ${urls.map((url, index) => {
          const words = text('generation.download', { number: numberAmong(urls, index) });
          return html`<a class="button" href="${url}" download>${words}</a>`;
        })}
      </div>
      ${
        share.showsPrompt &&
        prompt !== '' &&
        html`<h2>${text('generation.prompt')}</h2>
          <p class="prompt" dir="auto">${prompt}</p>`
      }`;
  }

  return router;
}

/** The preview that chat programs show for a link. */
function previewPart({ picture }: { picture: string | null }, title: string): Html {
  return html`<meta property="og:title" content="${title}" /> ${
      picture !== null &&
      html`<meta property="og:image" content="${picture}" />
        <meta name="twitter:card" content="summary_large_image" />`
    }`;
}
