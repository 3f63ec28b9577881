import { resolveParameters } from '../../../domain/requestRules.ts';
import { availableCredits } from '../../../domain/credits.ts';
import type { Form } from '../../pages/form.ts';
import { attributes, formatNumber, html, type Html } from '../../pages/html.ts';
import { tokenField } from '../../pages/layout.ts';
import { accountOf, creditsWay, type Site, type SiteContext } from './site.ts';
import { maxLines, type StudioForm } from './studioForm.ts';
import { countInWords } from './studioPrice.ts';

/** The switch that makes each line of the prompt a request of its own. */
export function listSwitch(form: Form): Html {
  const box = attributes({
    type: 'checkbox',
    role: 'switch',
    name: 'list',
    value: 'yes',
    id: 'field-list',
    checked: form.get('list') !== '',
  });
  return html`<label class="check switch chip" title="Up to ${maxLines} lines, each a request"
    ><input ${box} /> Each line separately</label
  >`;
}

/** Fields that the confirmation writes itself. */
const ownFields = new Set(['do', 'add', 'form_token', 'shown_credits']);

/** Shows the lines of a list with one price; its button creates them. */
export function showConfirmation(
  site: Site,
  ctx: SiteContext,
  form: Form,
  studio: StudioForm & { lines: readonly string[]; costCredits: number },
): void {
  const { lines, costCredits } = studio;
  const words = countInWords(studio);
  const each = costCredits / lines.length;
  const available = availableCredits(accountOf(ctx).lots, site.deps.clock.now());
  const enough = Math.floor(available / each);
  const hidden = form
    .entries()
    .filter(([name]) => !ownFields.has(name))
    .map(([name, value]) => html`<input ${attributes({ type: 'hidden', name, value })} />`);
  const content = html`<h1>Create ${words}?</h1>
    <p class="quiet">${factsOf(studio).join(' · ')}</p>
    <ol class="lines">
      ${lines.map((line) => html`<li dir="auto">${line}</li>`)}
    </ol>
    ${
      enough < lines.length &&
      html`<div class="notice warning">
        <p>
          You have ${formatNumber(available)} credits, enough for
          ${enough === 0 ? 'none of them' : html`the first ${enough}`}. The other lines stay in the
          studio, and nothing is charged for them.
        </p>
        ${creditsWay(site.links)}
      </div>`
    }
    <form action="/studio" method="post" enctype="multipart/form-data">
      ${tokenField(ctx)} ${hidden}
      <input type="hidden" name="shown_credits" value="${costCredits}" autocomplete="off" />
      <p>
        <strong>${formatNumber(costCredits)} credits</strong>
        <span class="quiet"
          >${lines.length} × ${formatNumber(each)}, of your ${formatNumber(available)}</span
        >
      </p>
      <p class="inline">
        <button class="button" name="do" value="create-list">
          Create ${words} · ${formatNumber(costCredits)} credits
        </button>
        <button class="second" name="do" value="update">Back to the studio</button>
      </p>
    </form>`;
  site.showPage(ctx, { title: `Create ${words}?`, content });
}

function factsOf({ model, typed }: StudioForm): string[] {
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
