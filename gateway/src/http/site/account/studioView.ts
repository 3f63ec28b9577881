import { parseUploadUrl, type Upload } from '../../../domain/mediaFiles.ts';
import type { Form } from '../../pages/form.ts';
import { formatNumber, attributes, html, type Html } from '../../pages/html.ts';
import { tokenField } from '../../pages/layout.ts';
import { priceAndButton } from './studioPrice.ts';
import { sampleTabs } from '../docs/elements.ts';
import { samplesFor } from '../docs/samples.ts';
import { formFields, type FormErrors, type FormFields } from './fields.ts';
import type { Stage } from './generationStage.ts';
import { recentStrip, type RecentWork } from './recentWork.ts';
import { accountOf, type Site, type SiteContext } from './site.ts';
import { choiceTiles, exampleButtons, modelCards } from './studioChoices.ts';
import type { StudioForm } from './studioForm.ts';
import { inputsPart } from './studioInputs.ts';
import { parametersPart } from './studioParameters.ts';

/** Data of the studio page. */
interface Shown {
  site: Site;
  form: Form;
  studio: StudioForm;
  errors: FormErrors | undefined;
  fields: FormFields;
  recent: RecentWork;
  /** Uploads of the account. */
  uploads: readonly Upload[];
  /** The generation shown beside the form. */
  made: { id: string; stage: Stage } | null;
}

/**
 * The studio page.
 * @param page.formKey A random id of the form, so that a repeated submission creates nothing more.
 */
export function studioView(
  ctx: SiteContext,
  page: Omit<Shown, 'fields'> & { formKey: string },
): Html {
  const { site, form, studio, errors, formKey, recent, made } = page;
  const shown: Shown = { ...page, fields: formFields(form, errors) };
  const { fields } = shown;
  const { model } = studio;
  const prompt = fields.text('prompt', 'Prompt', {
    hint: `Describe the scene and the movement. Up to ${formatNumber(model.maxPromptLength)} characters.`,
    rows: 5,
    required: true,
  });
  const request = html`<div class="composer field-row">${prompt} ${exampleButtons(model.type)}</div>
    ${modelCards(site, { chosen: model, models: site.modelsOf(accountOf(ctx)) }, recent)}
    ${modeField(shown)} ${inputsPart(shown)}`;
  const options = html`${parametersPart(studio, shown)}
  ${studio.hasRealPerson && realPersonPart(shown)}`;
  return html`<h1>Studio</h1>
    ${fields.errorSummary()}
    <div class="${made ? 'columns' : ''}">
      ${made && stagePart(made, recent)}
      <form
        action="/studio"
        method="post"
        enctype="multipart/form-data"
        class="${made ? '' : 'studio columns'}"
        id="studio"
        novalidate
      >
        ${tokenField(ctx)}
        <input type="hidden" name="form_key" value="${formKey}" />
        ${made && html`<input type="hidden" name="generation" value="${made.id}" />`}
        <button class="visually-hidden" name="do" value="update" tabindex="-1" aria-hidden="true">
          Update
        </button>
        <div id="what">${request}</div>
        <div>
          <div id="how">${options}</div>
          ${priceAndButton(ctx, site, studio)} ${!made && recentStrip(recent)}
        </div>
      </form>
    </div>
    <details class="as-code">
      <summary>As an API request: curl, TypeScript, Python, n8n</summary>
      <p class="quiet">
        Needs one of your <a href="/settings/public-api">keys</a>, which the program reads from its
        environment.
      </p>
      <div id="code">${asCode(site, studio)}</div>
    </details>`;
}

/** The last generation, beside the form for the next one. */
function stagePart({ id, stage }: NonNullable<Shown['made']>, recent: RecentWork): Html {
  return html`<section class="stage" id="stage" aria-labelledby="stage-title">
    <h2 id="stage-title">${stage.heading}</h2>
    ${stage.content}
    <p><a href="/generations/${id}">Full details</a></p>
    ${recentStrip(recent)}
  </section>`;
}

/** The form as sample calls; empty fields are omitted. */
function asCode({ openApi, addresses }: Site, { model, body }: StudioForm): Html {
  const operation = model.type === 'video' ? 'createVideo' : 'createImage';
  // Programs cannot upload files, so the samples name a file on the customer's host.
  const named = JSON.stringify(body, (_name, value: unknown) => {
    const isUpload =
      typeof value === 'string' && parseUploadUrl(value, addresses.mediaUrl) !== null;
    return isUpload ? 'https://your-files.example/file' : value;
  });
  return sampleTabs('code', samplesFor(openApi, operation, JSON.parse(named) as typeof body));
}

const modeLabels: Readonly<Record<string, string>> = {
  'text-to-video': 'Text to Video',
  'image-to-video': 'Image to Video',
  'multimodal-to-video': 'References to Video',
};

function modeField({ studio: { model, mode } }: Shown): Html | null {
  if (model.type !== 'video') return null;
  const modes = model.modes.map((value) => ({ value, label: modeLabels[value] ?? value }));
  return choiceTiles('mode', 'Mode', modes, { value: mode ?? '', reload: true });
}

function realPersonPart({ form, errors, fields }: Shown): Html {
  const isOn = form.get('parameters.real_person_mode') !== '';
  const error = errors?.fields['parameters.real_person_mode'];
  const box = attributes({
    type: 'checkbox',
    name: 'parameters.real_person_mode',
    value: 'true',
    id: 'field-parameters-real-person-mode',
    'data-reload': true,
    checked: isOn,
  });
  const confirmation = errors?.fields['compliance.rights_confirmed'];
  const confirmed = attributes({
    type: 'checkbox',
    name: 'compliance.rights_confirmed',
    value: 'true',
    checked: form.get('compliance.rights_confirmed') !== '',
    'aria-invalid': confirmation !== undefined && 'true',
    'aria-describedby': confirmation !== undefined && 'rights-problem',
  });
  const reference = fields.input('compliance.consent_reference', 'Your reference to the consent', {
    hint: 'Such as the number of the release form. Kept for audits.',
    maxlength: 128,
    autocomplete: 'off',
  });
  const consent = html`<label class="check" id="field-compliance-rights-confirmed"
      ><input ${confirmed} /> I hold the rights to this person's likeness, and their consent</label
    >
    ${confirmation !== undefined && html`<p class="problem" id="rights-problem">${confirmation}</p>`}
    ${reference}`;
  return html`<fieldset>
    <legend>Real people</legend>
    <label class="check"><input ${box} /> The inputs show a real person (real-person mode)</label>
    ${error !== undefined && html`<p class="problem">${error}</p>`} ${isOn && consent}
  </fieldset>`;
}
