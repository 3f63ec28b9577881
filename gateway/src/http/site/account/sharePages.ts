import type { Router } from '@koa/router';
import {
  canShare,
  shareDays,
  shareGeneration,
  tokenFor,
} from '../../../application/site/shares.ts';
import type { Share } from '../../../application/ports/wall.ts';
import type { Generation } from '../../../domain/generation.ts';
import { PlainRefusal, Refusal } from '../../../domain/refusal.ts';
import { redirect, type Next } from '../../pages/context.ts';
import { copyButton } from '../../pages/elements.ts';
import { attributes, html, time, type Html } from '../../pages/html.ts';
import { tokenField } from '../../pages/layout.ts';
import { findOwn } from './generationStage.ts';
import { shorten } from './generationSummary.ts';
import { requireAccount } from './requireAccount.ts';
import { accountOf, keepNotice, type Site, type SiteContext, type SiteState } from './site.ts';

/** Path of the page behind a link. */
export const sharedPath = (token: string): string => `/shared/${token}`;

/** Pages on which the owner makes, copies and withdraws the link to a generation. */
export function sharePages(router: Router<SiteState>, site: Site): void {
  const { deps } = site;
  const gate = (ctx: SiteContext, next: Next) =>
    requireAccount(site, `/generations/${ctx.params['id'] ?? ''}/share`)(ctx, next);
  const find = async (ctx: SiteContext): Promise<Generation> => {
    const found = await findOwn(site, ctx, ctx.params['id']);
    if (!found) throw new Refusal('generation_not_found');
    return found;
  };

  router.get('/generations/:id/share', gate, async (ctx: SiteContext) => {
    const generation = await find(ctx);
    const share = await deps.shares.find(generation.id);
    const content = html`<p class="crumb">
        <a href="/generations/${generation.id}" dir="auto">${shorten(generation.prompt)}</a>
      </p>
      <h1>Share</h1>
      ${share && linkPart(ctx, site, share)}
      ${
        canShare(generation, deps.clock.now())
          ? makePart(ctx, generation, share)
          : html`<p class="notice quiet-notice">There are no files to share.</p>`
      }`;
    site.showPage(ctx, { title: 'Share', content });
  });

  router.post('/generations/:id/share', gate, async (ctx: SiteContext) => {
    const generation = await find(ctx);
    if (accountOf(ctx).status !== 'active') throw new Refusal('account_suspended');
    const { form } = ctx.state;
    try {
      await shareGeneration(deps, generation, {
        days: form.get('days'),
        showsPrompt: form.get('prompt') !== '',
      });
      keepNotice(ctx, 'The link works now. Anyone who has it can see this without signing in.');
    } catch (error) {
      if (!(error instanceof PlainRefusal)) throw error;
      keepNotice(ctx, error.message);
    }
    redirect(ctx, `/generations/${generation.id}/share`);
  });

  router.post('/generations/:id/share/withdraw', gate, async (ctx: SiteContext) => {
    const { id } = await find(ctx);
    await deps.shares.remove(accountOf(ctx).id, [id]);
    keepNotice(
      ctx,
      'The link is withdrawn. A file that someone has open stops within half an hour.',
    );
    redirect(ctx, `/generations/${id}/share`);
  });
}

/** The link that works, with its end and a button that withdraws it. */
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
        ? html`<p>A link works, but it can no longer be shown here. Make a new one to copy it.</p>`
        : html`<label for="link">Link</label> <input ${field} /> ${copyButton('link')}`
    }
    <p class="quiet">
      Works until ${time(share.expiresAt)}. ${share.showsPrompt ? 'Shows' : 'Does not show'} the
      prompt.
    </p>
    <form action="/generations/${share.id}/share/withdraw" method="post">
      ${tokenField(ctx)} <button class="small danger">Withdraw the link</button>
    </form>
  </div>`;
}

function makePart(ctx: SiteContext, { id }: Generation, share: Share | null): Html {
  const choices = shareDays.map((days) => {
    const own = attributes({ value: days, selected: days === 7 });
    return html`<option ${own}>${days === 1 ? '1 day' : `${days} days`}</option>`;
  });
  return html`<form action="/generations/${id}/share" method="post" class="card">
    ${tokenField(ctx)}
    <p>
      Anyone with the link can see ${share ? 'this' : 'the result'} until it expires. The page shows
      nothing of your account. ${share && 'A new link replaces the one above.'}
    </p>
    <div class="field-row">
      <label for="days">Expires after</label>
      <select id="days" name="days">
        ${choices}
      </select>
    </div>
    <label class="check"
      ><input type="checkbox" name="prompt" value="yes" /> Show the prompt on the page</label
    >
    <button>${share ? 'Make a new link' : 'Make a link'}</button>
  </form>`;
}
