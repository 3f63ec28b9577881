import type { Router } from '@koa/router';
import { hourMs } from '@framegate/contract';
import {
  setKeyDailyLimit,
  setKeyMonthlyLimit,
} from '../../../../application/keys/keySpendingLimits.ts';
import {
  askForHost,
  createOwnKey,
  isSentAgain,
  type IssuedKey,
  revokeOwnKey,
  rotateOwnKey,
} from '../../../../application/keys/ownKeys.ts';
import { lacksFactor } from '../../../../application/keys/realPersonKeys.ts';
import { isLive } from '../../../../domain/accounts/apiKey.ts';
import { Refusal } from '../../../../domain/refusal.ts';
import { text } from '../../../../texts/text.ts';
import { redirect } from '../../../pages/context.ts';
import { formOf, newFormKey } from '../../../pages/form.ts';
import type { FormErrors } from '../../../pages/formErrors.ts';
import { formatNumber } from '../../../pages/html.ts';
import { memberOf, personOf } from '../acting.ts';
import { retryForm, sentField } from '../fields.ts';
import { mayOpen } from '../pageRights.ts';
import { requireSignedIn } from '../requireSignedIn.ts';
import { keysPath } from '../settingsPaths.ts';
import { loadRequiredProof, requirePerson } from '../signIn/proofFields.ts';
import {
  accountOf,
  keepNotice,
  type Site,
  type SiteContext,
  type SiteState,
  takeDraft,
} from '../site.ts';
import { describeKey, overlaps } from './keyForms.ts';
import { keyView, liveKeys, revokedKeys } from './keyList.ts';
import { makerPart, seenKeys } from './keyTeamParts.ts';
import { keysView, madeKeyView, newKeyForm } from './keyViews.ts';

/** Pages for the API keys of an account. */
export function addKeyPages(router: Router<SiteState>, site: Site): void {
  const { deps } = site;
  const gate = requireSignedIn(site, keysPath);

  /** The account, read again where the form may have changed it. */
  const loadCurrentAccount = async (ctx: SiteContext) => {
    const account = accountOf(ctx);
    if (ctx.method !== 'POST') return account;
    return (await deps.database.accounts.find(account.id)) ?? account;
  };

  /** @param errors Errors of the form for a new key. */
  const showKeys = async (ctx: SiteContext, errors?: FormErrors) => {
    const account = await loadCurrentAccount(ctx);
    const [uses, requiredProof] = await Promise.all([
      deps.keyUses.find(account.keys.map(({ id }) => id)),
      loadRequiredProof(site, ctx),
    ]);
    const nowMs = deps.clock.now();
    const typed = ctx.method === 'POST' ? ctx.state.form : takeDraft(ctx, keysPath);
    const models = site.modelsOf(account);
    const formKey = newFormKey();
    const newest = seenKeys(ctx, account).toReversed();
    const live = newest.filter((key) => isLive(key, nowMs));
    const content = keysView({
      facts: site.facts(),
      lacksFactor: await lacksFactor(deps, personOf(ctx).id),
      mayOpen: (path) => mayOpen(ctx.state, path),
      live: liveKeys({ keys: live, uses, nowMs, makerOf: (key) => makerPart(account, key) }),
      newKey: newKeyForm(ctx, {
        form: typed ?? formOf(models.map(({ id }) => ['models', id])),
        formKey,
        requiredProof,
        models,
        autoApprovedHosts: deps.autoApprovedHosts,
        errors,
        isFirst: live.length === 0,
      }),
      revoked: revokedKeys(newest.filter((key) => !isLive(key, nowMs))),
    });
    site.showPage(ctx, { title: text('site.keys'), content, status: errors?.status });
  };

  /** @param errors Errors of one of the key's forms. */
  const showKey = async (ctx: SiteContext, keyId: string, errors?: FormErrors) => {
    const account = await loadCurrentAccount(ctx);
    const key = account.keys.find(({ id }) => id === keyId);
    if (!key) throw new Refusal('key_not_found');
    const uses = await deps.keyUses.find([keyId]);
    const nowMs = deps.clock.now();
    const formKey = newFormKey();
    const requiredProof = await loadRequiredProof(site, ctx);
    const use = uses.get(keyId);
    const maker = makerPart(account, key);
    const content = keyView(ctx, { key, maker, use, nowMs, formKey, requiredProof, errors });
    site.showPage(ctx, {
      title: text('keys.keyTitle', { name: key.name }),
      content,
      status: errors?.status,
    });
  };

  const showMade = (ctx: SiteContext, issued: IssuedKey) => {
    const title = text(issued.apiKey === null ? 'keys.alreadyMadeTitle' : 'keys.madeTitle');
    site.showPage(ctx, { title, content: madeKeyView(ctx, title, issued, site) });
  };

  /** Changes a key and shows the result on its page or, after a removal, on the list of keys. */
  const changeKey = async (
    ctx: SiteContext,
    change: (keyId: string, named: string) => Promise<string>,
    isRemoved = false,
  ) => {
    const keyId = ctx.params['keyId'] ?? '';
    const key = accountOf(ctx).keys.find(({ id }) => id === keyId);
    const named = key ? describeKey(key) : '';
    await retryForm(
      async () => {
        keepNotice(ctx, await change(keyId, named));
        redirect(ctx, isRemoved ? keysPath : `${keysPath}/keys/${keyId}`);
      },
      (errors) => showKey(ctx, keyId, errors),
    );
  };

  router.get(keysPath, gate, (ctx: SiteContext) => showKeys(ctx));
  router.get(`${keysPath}/keys/:keyId`, gate, (ctx: SiteContext) =>
    showKey(ctx, ctx.params['keyId'] ?? ''),
  );
  router.post(`${keysPath}/keys`, gate, async (ctx: SiteContext) => {
    const { form } = ctx.state;
    const fields = {
      accountId: accountOf(ctx).id,
      madeBy: memberOf(ctx),
      formKey: form.get('form_key'),
      name: form.get('name'),
      models: form.all('models'),
      hosts: form.get('hosts'),
      dailyCredits: form.get('daily_credits'),
    };
    await retryForm(
      async () => {
        await requirePerson(site, ctx, isSentAgain(deps, accountOf(ctx), fields.formKey));
        const offered = site.modelsOf(accountOf(ctx)).map(({ id }) => id);
        showMade(ctx, await createOwnKey(deps, fields, offered));
      },
      (errors) => showKeys(ctx, errors),
    );
  });
  router.post(`${keysPath}/keys/:keyId/rotate`, gate, async (ctx: SiteContext) => {
    const { form } = ctx.state;
    const keyId = ctx.params['keyId'] ?? '';
    const hours = overlaps.find((each) => String(each.hours) === form.get('overlap'))?.hours ?? 24;
    const fields = {
      accountId: accountOf(ctx).id,
      madeBy: memberOf(ctx),
      keyId,
      formKey: form.get('form_key'),
      overlapMs: hours * hourMs,
    };
    await retryForm(
      async () => {
        await requirePerson(site, ctx, isSentAgain(deps, accountOf(ctx), fields.formKey));
        showMade(ctx, await rotateOwnKey(deps, fields));
      },
      (errors) => showKey(ctx, keyId, errors),
    );
  });
  router.post(`${keysPath}/keys/:keyId/revoke`, gate, (ctx: SiteContext) =>
    changeKey(
      ctx,
      async (keyId, named) => {
        await revokeOwnKey(deps, { accountId: accountOf(ctx).id, keyId });
        return text('keys.revokedNotice', { key: named });
      },
      true,
    ),
  );
  router.post(`${keysPath}/keys/:keyId/limit`, gate, (ctx: SiteContext) =>
    changeKey(ctx, async (keyId, named) => {
      const dailyCredits = sentField(ctx.state.form, 'daily_credits');
      const accountId = accountOf(ctx).id;
      const credits = await setKeyDailyLimit(deps, { accountId, keyId, dailyCredits });
      return credits === null
        ? text('keys.dayUnlimitedNotice', { key: named })
        : text('keys.dayLimitedNotice', { key: named, credits: formatNumber(credits) });
    }),
  );
  router.post(`${keysPath}/keys/:keyId/month`, gate, (ctx: SiteContext) =>
    changeKey(ctx, async (keyId, named) => {
      const monthlyCredits = sentField(ctx.state.form, 'monthly_credits');
      const accountId = accountOf(ctx).id;
      const credits = await setKeyMonthlyLimit(deps, { accountId, keyId, monthlyCredits });
      return credits === null
        ? text('keys.monthUnlimitedNotice', { key: named })
        : text('keys.monthLimitedNotice', { key: named, credits: formatNumber(credits) });
    }),
  );
  router.post(`${keysPath}/keys/:keyId/hosts`, gate, (ctx: SiteContext) =>
    changeKey(ctx, async (keyId) => {
      const host = ctx.state.form.get('host');
      const accountId = accountOf(ctx).id;
      const { rule, state } = await askForHost(deps, { accountId, keyId, host });
      return state === 'approved'
        ? text('keys.hostReady', { rule })
        : text('keys.hostRequested', { rule });
    }),
  );
}
