import {
  noticeKinds,
  type NoticeChoices,
  type NoticeKind,
} from '../../../application/ports/notices.ts';
import { parseLimit, type Form } from '../../pages/form.ts';
import { attributes, html, type Html } from '../../pages/html.ts';
import { tokenField } from '../../pages/layout.ts';
import type { SiteContext } from './site.ts';

const labels: Readonly<Record<NoticeKind, string>> = {
  ends: 'A video or image is finished or failed (several within 15 minutes come as one mail)',
  credits: 'Credits run low, or expire within a week',
  hosts: 'An input host was approved or refused',
  keys: 'An API key was made, replaced or revoked',
  signIns: 'Somebody signed in from a new browser',
};

/** The mails that an owner gets, and can turn off. Codes and changes of password or second factor are always mailed. */
export function mailsPart(ctx: SiteContext, choices: NoticeChoices): Html {
  const boxes = noticeKinds.map((kind) => {
    const box = attributes({ type: 'checkbox', name: kind, value: 'yes', checked: choices[kind] });
    return html`<label class="check"><input ${box} /> ${labels[kind]}</label>`;
  });
  const { creditsBelow } = choices;
  const limit = attributes({
    id: 'credits-below',
    name: 'credits_below',
    inputmode: 'numeric',
    autocomplete: 'off',
    value: creditsBelow === 0 ? '' : creditsBelow,
  });
  return html`<h2 id="mails">Mails</h2>
    <form action="/settings/account/mails" method="post" class="card">
      ${tokenField(ctx)}
      <fieldset class="plain-set">
        <legend>Send me a mail when</legend>
        ${boxes}
      </fieldset>
      <div class="field-row">
        <label for="credits-below">Credits are low below</label>
        <p class="quiet" id="credits-below-hint">Leave it empty for no mail about your balance.</p>
        <input ${limit} aria-describedby="credits-below-hint" />
      </div>
      <button>Save</button>
      <p class="quiet">Codes, and changes of your password or second factor, are always mailed.</p>
    </form>`;
}

/** Reads the choice. @throws PlainRefusal for a limit that is no number. */
export function parseNotices(form: Form): NoticeChoices {
  const chosen = noticeKinds.map((kind) => [kind, form.get(kind) !== ''] as const);
  return {
    ...(Object.fromEntries(chosen) as Record<NoticeKind, boolean>),
    creditsBelow: parseLimit(form, 'credits_below', 0) ?? 0,
  };
}
