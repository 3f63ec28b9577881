import type { Model } from '@framegate/contract';
import { modelStatusOf } from '../../../../application/generations/modelStatus.ts';
import { text } from '../../../../texts/text.ts';
import type { Form } from '../../../pages/form.ts';
import { formatNumber, type Html, html, richText, time } from '../../../pages/html.ts';
import { statusPath } from '../../statusPage.ts';
import { accountOf, type Site, type SiteContext } from '../site.ts';
import { formButton } from './studioChoices.ts';
import { parseStudioForm, type StudioForm } from './studioForm.ts';
import { withField } from './studioPrefill.ts';

/** A notice that the chosen model has problems, with a button that chooses another one for the same request. */
export function modelTrouble(
  ctx: SiteContext,
  { site, form, studio, models }: ModelSwitch & { site: Site },
): Html {
  const { group } = accountOf(ctx);
  const isGood = (model: Model) => modelStatusOf(site.deps, model, group).sinceMs === null;
  const { kind, sinceMs } = modelStatusOf(site.deps, studio.model, group);
  if (sinceMs === null) return html`<div id="trouble"></div>`;
  const other = otherFor({ form, studio, models: models.filter(isGood) });
  const words = richText(kind === 'problems' ? 'studio.hasProblems' : 'studio.isUnavailable', {
    model: studio.model.displayName,
    time: time(sinceMs),
  });
  return html`<div id="trouble">
    <p class="notice warning" role="status">
      ${words} ${other && switchButton(other)}
      <a href="${statusPath}">${text('studio.otherModels')}</a>
    </p>
  </div>`;
}

/** A form, and the models that may replace its own. */
interface ModelSwitch {
  form: Form;
  studio: StudioForm;
  models: readonly Model[];
}

/** A model that can make the request, and the price there. */
interface OtherModel {
  model: Model;
  credits: number;
}

/** The model nearest in price, else the cheaper one, that takes the same mode and inputs; null if there is none. */
function otherFor({ form, studio, models }: ModelSwitch): OtherModel | null {
  const countFilled = ({ slots }: StudioForm) => slots.filter(({ url }) => url !== '').length;
  const price = studio.costCredits ?? 0;
  const able = models.flatMap((model): OtherModel[] => {
    if (model.type !== studio.model.type) return [];
    const there = parseStudioForm(withField(form, 'model', model.id), models);
    const { costCredits: credits, mode } = there;
    const isSame = mode === studio.mode && countFilled(there) === countFilled(studio);
    return isSame && credits !== null ? [{ model, credits }] : [];
  });
  const away = ({ credits }: OtherModel) => Math.abs(credits - price);
  return able.toSorted((a, b) => away(a) - away(b) || a.credits - b.credits)[0] ?? null;
}

const switchButton = ({ model, credits }: OtherModel) =>
  html`<button ${formButton('use-other', `model:${model.id}`)}>
    ${text('studio.useOther', {
      model: model.displayName,
      credits: text('studio.credits', { credits: formatNumber(credits) }),
    })}
  </button>`;
