import { availableCredits } from '../../../../domain/credits/credits.ts';
import { resolveParameters } from '../../../../domain/generations/requestRules.ts';
import { text } from '../../../../texts/text.ts';
import { tokenField } from '../../../pages/elements.ts';
import type { Form } from '../../../pages/form.ts';
import { attributes, formatNumber, type Html, html } from '../../../pages/html.ts';
import { askButton, creditsWay } from '../creditsWay.ts';
import type { FormFields } from '../fields.ts';
import { accountOf, type Site, type SiteContext } from '../site.ts';
import { perLine, sizesOfSets, type StudioForm } from './studioForm.ts';
import { createCounted, describeCount } from './studioPrice.ts';

/** How many requests the form becomes: a set of equal ones, or one for each line of the prompt. */
export function timesField(fields: FormFields): Html {
  const sizes = sizesOfSets.map((size) => [String(size), `×${size}`] as const);
  const choices = [...sizes, [perLine, text('studio.eachLine')] as const];
  return fields.select('times', text('studio.requests'), choices);
}

/** Fields that the confirmation page renders itself. */
const ownFields = new Set(['do', 'add', 'form_token', 'shown_credits']);

/** Shows the lines of a list with one total price; its button creates them. */
export function showConfirmation(
  site: Site,
  ctx: SiteContext,
  form: Form,
  studio: StudioForm & { lines: readonly string[]; costCredits: number },
): void {
  const { lines, costCredits } = studio;
  const words = describeCount(studio);
  const each = costCredits / lines.length;
  const available = availableCredits(accountOf(ctx).lots, site.deps.clock.now());
  const enough = Math.floor(available / each);
  const hidden = form
    .entries()
    .filter(([name]) => !ownFields.has(name))
    .map(([name, value]) => html`<input ${attributes({ type: 'hidden', name, value })} />`);
  const title = text('studio.createWhat', { results: words });
  const cost = { credits: formatNumber(costCredits) };
  const content = html`<h1>${title}</h1>
    <p class="quiet">${requestSummary(studio).join(' · ')}</p>
    <ol class="lines">
      ${lines.map((line) => html`<li dir="auto">${line}</li>`)}
    </ol>
    ${
      enough < lines.length &&
      html`<div class="notice warning">
        <p>
          ${
            enough === 0
              ? text('studio.enoughForNone', { credits: formatNumber(available) })
              : text('studio.enoughForSome', { credits: formatNumber(available), count: enough })
          }
        </p>
      </div>`
    }
    <form action="/studio" method="post" enctype="multipart/form-data">
      ${tokenField(ctx)} ${hidden}
      <input type="hidden" name="shown_credits" value="${costCredits}" autocomplete="off" />
      <p>
        <strong>${text('studio.credits', cost)}</strong>
        <span class="quiet"
          >${text('studio.timesEach', {
            lines: lines.length,
            each: formatNumber(each),
            available: formatNumber(available),
          })}</span
        >
      </p>
      <p class="inline">
        ${
          enough > 0 &&
          html`<button class="button" name="do" value="create-list">
            ${text('studio.createAt', { create: createCounted(studio), ...cost })}
          </button>`
        }
        ${enough < lines.length && creditsWay(site, accountOf(ctx), askButton())}
        <button class="second" name="do" value="update">${text('studio.backToStudio')}</button>
      </p>
    </form>`;
  site.showPage(ctx, { title, content });
}

function requestSummary({ model, typed }: StudioForm): string[] {
  const usual: Readonly<Record<string, string | number | boolean | undefined>> = {
    ...resolveParameters(model),
  };
  const valueOf = (name: string) => typed[name] ?? usual[name];
  const seconds = valueOf('duration_seconds');
  const long = seconds === undefined ? [] : [`${seconds} s`];
  return [
    model.displayName,
    String(valueOf('aspect_ratio')),
    ...long,
    String(valueOf('resolution')),
  ];
}
