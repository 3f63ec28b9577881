import type { Router } from '@koa/router';
import type { Share } from '../../../../application/ports/wall.ts';
import {
  canShare,
  shareChoices,
  shareGeneration,
  tokenFor,
} from '../../../../application/wall/shares.ts';
import type { Generation } from '../../../../domain/generations/generation.ts';
import { Refusal } from '../../../../domain/refusal.ts';
import { describeRefusal } from '../../../../texts/describeRefusal.ts';
import { text } from '../../../../texts/text.ts';
import { redirect } from '../../../pages/context.ts';
import { copyButton, tokenField } from '../../../pages/elements.ts';
import { attributes, type Html, html, richText, time } from '../../../pages/html.ts';
import { requireMayActOn } from '../acting.ts';
import { requireSignedIn } from '../requireSignedIn.ts';
import { accountOf, keepNotice, type Site, type SiteContext, type SiteState } from '../site.ts';
import { findOwn, generationPath, keptPart } from './generationStage.ts';
import { shorten } from './generationSummary.ts';

/** Path of the page behind a link. */
export const sharedPath = (token: string): string => `/shared/${token}`;

/** Path of the list of links. */
export const linksPath = '/history/links';
/** Value of the field `back` with which a revocation returns to the list. */
export const backToLinks = 'links';

/** Pages on which the owner makes, copies and revokes the link to a generation. */
export function addSharePages(router: Router<SiteState>, site: Site): void {
  const { deps } = site;
  const requireSignIn = requireSignedIn(site, (ctx) => `${generationPath(ctx)}/share`);
  const find = async (ctx: SiteContext): Promise<Generation> => {
    const generation = await findOwn(site, ctx, ctx.params['id']);
    if (!generation) throw new Refusal('generation_not_found');
    requireMayActOn(ctx, 'publish own work', generation);
    return generation;
  };

  router.get('/generations/:id/share', requireSignIn, async (ctx: SiteContext) => {
    const generation = await find(ctx);
    const share = await deps.shares.find(generation.id);
    const content = html`<p class="crumb">
        <a href="/generations/${generation.id}" dir="auto">${shorten(generation.prompt)}</a>
      </p>
      <h1>${text('share.title')}</h1>
      ${share && linkPart(ctx, site, share)}
      ${
        canShare(generation, deps.clock.now())
          ? makePart(ctx, generation, share, deps.clock.now())
          : html`<p class="notice quiet-notice">${text('refusals.shared_files_not_found')}</p>`
      }
      <p><a href="${linksPath}">${text('share.links')}</a></p>`;
    site.showPage(ctx, { title: text('share.title'), content });
  });

  router.post('/generations/:id/share', requireSignIn, async (ctx: SiteContext) => {
    const generation = await find(ctx);
    if (accountOf(ctx).status !== 'active') throw new Refusal('account_suspended');
    const { form } = ctx.state;
    try {
      await shareGeneration(deps, generation, {
        days: form.get('days'),
        showsPrompt: form.get('prompt') !== '',
      });
      keepNotice(ctx, text('share.made'));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      keepNotice(ctx, describeRefusal(error));
    }
    redirect(ctx, `/generations/${generation.id}/share`);
  });

  router.post('/generations/:id/share/revoke', requireSignIn, async (ctx: SiteContext) => {
    const { id } = await find(ctx);
    await deps.shares.remove(accountOf(ctx).id, [id], deps.actor.signature(deps.clock.now()));
    keepNotice(ctx, text('share.revokedNotice'));
    const isInList = ctx.state.form.get('back') === backToLinks;
    redirect(ctx, isInList ? linksPath : `/generations/${id}/share`);
  });
}

/** The active link, with its expiry and a button that revokes it. */
function linkPart(ctx: SiteContext, { deps }: Site, share: Share): Html {
  const token = tokenFor(deps, share);
  const field = attributes({
    id: 'link',
    readonly: true,
    value: `${deps.accountUrl}${sharedPath(token ?? '')}`,
  });
  return html`<div class="card">
    ${
      token === null
        ? html`<p>${text('share.notShown')}</p>`
        : html`<label for="link">${text('share.link')}</label>
            <div class="inline"><input ${field} /> ${copyButton('link')}</div>`
    }
    <p class="quiet">
      ${richText(share.showsPrompt ? 'share.untilWithPrompt' : 'share.untilWithoutPrompt', {
        time: time(share.expiresAt),
      })}
    </p>
    <form action="/generations/${share.id}/share/revoke" method="post">
      ${tokenField(ctx)} <button class="small danger">${text('share.revokeLink')}</button>
    </form>
  </div>`;
}

function makePart(
  ctx: SiteContext,
  generation: Generation,
  share: Share | null,
  nowMs: number,
): Html {
  const { id, outputsRemoveAt } = generation;
  const choices = shareChoices(generation, nowMs).map(({ days, endsWithFiles }) => {
    const own = attributes({ value: days, selected: days === 7 });
    const words = endsWithFiles ? text('share.withFiles') : text('share.days', { count: days });
    return html`<option ${own}>${words}</option>`;
  });
  return html`<form action="/generations/${id}/share" method="post" class="card">
    ${tokenField(ctx)}
    <p>
      ${text(share ? 'share.anyoneAgain' : 'share.anyone')}
      ${outputsRemoveAt !== null && keptPart(outputsRemoveAt, nowMs)}
    </p>
    <div class="field-row">
      <label for="days">${text('share.expiresAfter')}</label>
      <select id="days" name="days">
        ${choices}
      </select>
    </div>
    <label class="check"
      ><input type="checkbox" name="prompt" value="yes" /> ${text('share.showPrompt')}</label
    >
    <button>${text(share ? 'share.makeNew' : 'share.make')}</button>
  </form>`;
}
