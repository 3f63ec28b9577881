import { noticeKinds, wantsNotice } from '../../../../application/mails/notices.ts';
import type { NoticeChoices } from '../../../../application/ports/notices.ts';
import { text } from '../../../../texts/text.ts';
import { tokenField } from '../../../pages/elements.ts';
import { type Form, parseLimit } from '../../../pages/form.ts';
import { attributes, type Html, html } from '../../../pages/html.ts';
import { settingsPath } from '../settingsPaths.ts';
import type { SiteContext } from '../site.ts';

/** The emails that an owner can turn off. Codes and changes of password or second factor are always mailed. */
export function mailsPart(ctx: SiteContext, choices: NoticeChoices): Html {
  const boxes = noticeKinds.map(({ kind }) => {
    const isChecked = wantsNotice(choices, kind);
    const box = attributes({ type: 'checkbox', name: kind, value: 'yes', checked: isChecked });
    return html`<label class="check"><input ${box} /> ${text(`settings.mails_${kind}`)}</label>`;
  });
  const { creditsBelow } = choices;
  const limit = attributes({
    id: 'credits-below',
    name: 'credits_below',
    inputmode: 'numeric',
    autocomplete: 'off',
    value: creditsBelow === 0 ? '' : creditsBelow,
  });
  return html`<h2 id="mails">${text('settings.mails')}</h2>
    <form action="${settingsPath}/mails" method="post" class="card">
      ${tokenField(ctx)}
      <fieldset class="plain-set">
        <legend>${text('settings.mailMeWhen')}</legend>
        ${boxes}
      </fieldset>
      <div class="field-row">
        <label for="credits-below">${text('settings.creditsBelow')}</label>
        <p class="quiet" id="credits-below-hint">${text('settings.creditsBelowHint')}</p>
        <input ${limit} aria-describedby="credits-below-hint" />
      </div>
      <button>${text('settings.save')}</button>
      <p class="quiet">${text('settings.alwaysMailed')}</p>
    </form>`;
}

/** Reads the choice. @throws Refusal for a limit that is not a number. */
export function parseNotices(form: Form): NoticeChoices {
  const changed = noticeKinds.filter(({ kind, isOn }) => (form.get(kind) !== '') !== isOn);
  return {
    changedKinds: changed.map(({ kind }) => kind),
    creditsBelow: parseLimit(form, 'credits_below', 0) ?? 0,
  };
}
