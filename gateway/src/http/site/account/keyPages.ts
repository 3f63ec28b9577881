import type { Router } from '@koa/router';
import { isLive } from '../../../domain/account.ts';
import { requireCurrentPassword } from '../../../application/site/changePassword.ts';
import type { FormProblem } from '../../../application/site/formProblem.ts';
import {
  askForHost,
  createOwnKey,
  revokeOwnKey,
  rotateOwnKey,
  type MadeKey,
} from '../../../application/site/ownKeys.ts';
import { limitOwnKey } from '../../../application/site/dailyCredits.ts';
import { leftToday } from '../../../domain/dailyLimit.ts';
import { originOf } from './browserMarks.ts';
import { formOf } from './form.ts';
import { formatCredits } from './format.ts';
import { newFormKey, takeDraft } from './drafts.ts';
import { requireAccount } from './requireAccount.ts';
import { confirmSession, isFresh, keepForNextPage } from './sessions.ts';
import { redirect } from './signInPages.ts';
import { attempt, problemsOf } from './signUpPages.ts';
import type { Site } from './site.ts';
import { accountOf, type SiteContext, type SiteState } from './siteContext.ts';

const path = '/settings/public-api';
const hourMs = 3600 * 1000;

/** How long an old key may work on beside its successor. */
export const overlaps = [
  { hours: 24, words: 'for 24 hours' },
  { hours: 1, words: 'for one hour' },
  { hours: 168, words: 'for 7 days' },
  { hours: 0, words: 'no longer: it stops at once' },
] as const;

/** The API keys of an account. */
export function keyPages(router: Router<SiteState>, site: Site): void {
  const { deps } = site;
  const gate = requireAccount(site, path);
  const offered = site.models.map(({ id }) => id);

  /** @param at The key whose own form has the problems; null for the form that makes one. */
  const showKeys = async (ctx: SiteContext, error?: FormProblem, at: string | null = null) => {
    const account = (await deps.database.accounts.find(accountOf(ctx).id)) ?? accountOf(ctx);
    const uses = await deps.keyUses.find(account.keys.map(({ id }) => id));
    const now = deps.clock.now();
    const keys = account.keys
      .map((key) => ({
        ...key,
        usedAt: uses.get(key.id) ?? null,
        isLive: isLive(key, now),
        leftToday: leftToday(key, now),
      }))
      .toReversed();
    const form = ctx.method === 'POST' && at === null ? ctx.state.form : takeDraft(ctx, path);
    const typed = form ?? formOf([]);
    const shown =
      error && at !== null ? { ...problemsOf(), keyProblem: { at, error } } : problemsOf(error);
    site.show(
      ctx,
      'keys',
      {
        title: 'API keys',
        live: keys.filter((key) => key.isLive),
        revoked: keys.filter((key) => !key.isLive),
        keyProblem: null,
        ...shown,
        models: site.models,
        chosen: form ? typed.all('models') : offered,
        name: typed.get('name'),
        hosts: typed.get('hosts'),
        dailyCredits: typed.get('daily_credits'),
        typedDaily: at === null ? '' : ctx.state.form.get('daily_credits'),
        typedHost: at === null ? '' : ctx.state.form.get('host'),
        formKey: newFormKey(),
        asksPassword: !isFresh(ctx, now),
        overlaps,
        baseUrl: site.addresses.baseUrl,
        autoApproved: deps.autoApprovedHosts,
      },
      error?.status,
    );
  };

  /** A key outlives its session: a browser that was left open does not make one. @throws FormProblem */
  const requireFresh = async (ctx: SiteContext) => {
    const now = deps.clock.now();
    if (isFresh(ctx, now)) return;
    await requireCurrentPassword(
      deps,
      accountOf(ctx),
      ctx.state.form.get('current_password'),
      originOf(ctx),
    );
    confirmSession(ctx, now);
  };

  const showMade = (ctx: SiteContext, made: MadeKey) => {
    const curl = [
      `curl -sS ${site.addresses.baseUrl}/videos \\`,
      `  -H "Authorization: Bearer ${made.apiKey ?? ''}" \\`,
      '  -H "Idempotency-Key: my-first-video" -H "Content-Type: application/json" \\',
      `  -d '{"model":"${videoModelOf(made, site)}","mode":"text-to-video","prompt":"A paper boat at sunrise"}'`,
    ].join('\n');
    const title = made.apiKey === null ? 'This key was made already' : 'Your new key';
    site.show(ctx, 'keyMade', { title, made, curl, baseUrl: site.addresses.baseUrl });
  };

  router.get(path, gate, (ctx: SiteContext) => showKeys(ctx));
  router.post(`${path}/keys`, gate, async (ctx: SiteContext) => {
    const { form } = ctx.state;
    const fields = {
      accountId: accountOf(ctx).id,
      formKey: form.get('form_key'),
      name: form.get('name'),
      models: form.all('models'),
      hosts: form.get('hosts'),
      dailyCredits: form.get('daily_credits'),
    };
    await attempt(
      async () => {
        await requireFresh(ctx);
        showMade(ctx, await createOwnKey(deps, fields, offered));
      },
      (error) => showKeys(ctx, error),
    );
  });
  router.post(`${path}/keys/:keyId/rotate`, gate, async (ctx: SiteContext) => {
    const { form } = ctx.state;
    const keyId = ctx.params['keyId'] ?? '';
    const hours = overlaps.find((each) => String(each.hours) === form.get('overlap'))?.hours ?? 24;
    const accountId = accountOf(ctx).id;
    const fields = { accountId, keyId, formKey: form.get('form_key'), overlapMs: hours * hourMs };
    await attempt(
      async () => {
        await requireFresh(ctx);
        showMade(ctx, await rotateOwnKey(deps, fields));
      },
      (error) => showKeys(ctx, error, keyId),
    );
  });
  router.post(`${path}/keys/:keyId/revoke`, gate, async (ctx: SiteContext) => {
    await revokeOwnKey(deps, { accountId: accountOf(ctx).id, keyId: ctx.params['keyId'] ?? '' });
    keepForNextPage(ctx, 'notice', 'The key is revoked. It stops working within five seconds.');
    redirect(ctx, path);
  });
  router.post(`${path}/keys/:keyId/limit`, gate, async (ctx: SiteContext) => {
    const keyId = ctx.params['keyId'] ?? '';
    const dailyCredits = ctx.state.form.get('daily_credits');
    await attempt(
      async () => {
        const form = { accountId: accountOf(ctx).id, keyId, dailyCredits };
        const credits = await limitOwnKey(deps, form);
        const words =
          credits === null
            ? 'The key has no daily limit any more.'
            : `The key may spend ${formatCredits(credits)} credits a day from now on.`;
        keepForNextPage(ctx, 'notice', words);
        redirect(ctx, path);
      },
      (error) => showKeys(ctx, error, keyId),
    );
  });
  router.post(`${path}/keys/:keyId/hosts`, gate, async (ctx: SiteContext) => {
    const keyId = ctx.params['keyId'] ?? '';
    const fields = { accountId: accountOf(ctx).id, keyId, host: ctx.state.form.get('host') };
    await attempt(
      async () => {
        const { rule, state } = await askForHost(deps, fields);
        const words =
          state === 'approved'
            ? `${rule} is approved: inputs from there work now.`
            : `You asked for ${rule}. It works as soon as our staff have approved it.`;
        keepForNextPage(ctx, 'notice', words);
        redirect(ctx, path);
      },
      (error) => showKeys(ctx, error, keyId),
    );
  });
}

/** A video model for the example that the key may use. */
function videoModelOf({ key }: MadeKey, { models }: Site): string {
  const usable = models.filter(
    ({ id, type }) => type === 'video' && (key.models?.includes(id) ?? true),
  );
  return (usable.find(({ id }) => id === 'alpha-2.0-fast') ?? usable[0])?.id ?? 'alpha-2.0-fast';
}
