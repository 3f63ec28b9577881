import type { Model } from '@framegate/contract';
import { parseUploadUrl, type Upload } from '../../../../domain/generations/uploads.ts';
import { text } from '../../../../texts/text.ts';
import { tokenField } from '../../../pages/elements.ts';
import type { Form } from '../../../pages/form.ts';
import type { FormErrors } from '../../../pages/formErrors.ts';
import { attributes, formatNumber, type Html, html, richText } from '../../../pages/html.ts';
import { sampleTabs } from '../../docs/elements.ts';
import { samplesFor } from '../../docs/samples.ts';
import { type FormFields, formFields } from '../fields.ts';
import { modeLabel } from '../generations/labels.ts';
import { keysLink } from '../keys/keyForms.ts';
import type { Site, SiteContext } from '../site.ts';
import { panelChip } from './chips.ts';
import { modelTrouble } from './modelTrouble.ts';
import type { RecentWork } from './recentWork.ts';
import { choiceTiles, modelCards } from './studioChoices.ts';
import { fittedField, maxLines, type StudioForm } from './studioForm.ts';
import { inputsPart, inputThumbs } from './studioInputs.ts';
import { timesField } from './studioList.ts';
import { parameterControls } from './studioParameters.ts';
import { createButton, pricePart } from './studioPrice.ts';

/** Data of the composer. */
export interface ComposerData {
  site: Site;
  form: Form;
  studio: StudioForm;
  /** Models of the account. */
  models: readonly Model[];
  /** A random id of the form, so that a repeated submission creates nothing more. */
  formKey: string;
  errors: FormErrors | undefined;
  /** A sentence about a change made by a button. */
  note: string | undefined;
  recent: RecentWork;
  /** Uploads of the account. */
  uploads: readonly Upload[];
  /** Id of the generation in the page's URL. */
  generationId: string | undefined;
}

type ComposerView = ComposerData & { fields: FormFields };

/**
 * The form of the studio: a prompt, a row of chips and the button with the price. The script replaces the parts with
 * an id when choices depend on each other.
 */
export function composer(ctx: SiteContext, data: ComposerData): Html {
  const { site, form, studio, errors, note, formKey, generationId } = data;
  const drawn: ComposerView = { ...data, fields: formFields(form, errors) };
  const { fields } = drawn;
  const prompt = fields.text('prompt', text('generation.prompt'), {
    hint: studio.lines
      ? text('studio.upToLines', { max: maxLines })
      : text('studio.upToCharacters', { max: formatNumber(studio.model.maxPromptLength) }),
    placeholder: text('studio.placeholder'),
    rows: studio.lines ? 5 : 2,
    required: true,
  });
  const chips = chipsOf(drawn);
  return html`<section class="composer" aria-label="${text('studio.newRequest')}">
    <div id="notes">
      ${fields.errorSummary()}
      ${note !== undefined && html`<p class="notice" role="status">${note}</p>`}
    </div>
    <form action="/studio" method="post" enctype="multipart/form-data" id="studio" novalidate>
      ${tokenField(ctx)}
      <input type="hidden" name="form_key" value="${formKey}" autocomplete="off" />
      ${generationId !== undefined && html`<input type="hidden" name="generation" value="${generationId}" />`}
      <button class="visually-hidden" name="do" value="update" tabindex="-1" aria-hidden="true">
        ${text('studio.update')}
      </button>
      <div id="prompt">${prompt}</div>
      <div class="chips" id="chips">${chips}</div>
      ${modelTrouble(ctx, data)}
      <div class="pay">
        ${pricePart(ctx, site, studio)}
        <details class="chip as-code" name="chips">
          <summary>${text('studio.asCode')}</summary>
          <div class="panel">
            <p class="quiet">${richText('studio.needsKey', { keys: keysLink })}</p>
            <div id="code">${asCode(site, studio)}</div>
          </div>
        </details>
        ${createButton(ctx, site, studio)}
      </div>
    </form>
  </section>`;
}

function chipsOf(drawn: ComposerView): Html {
  const { site, studio, errors, recent } = drawn;
  const { model, mode, slots } = studio;
  const { chips, others, hasError } = parameterControls(studio, drawn);
  const isWrong = (names: readonly string[]) => names.some((name) => errors?.fields[name]);
  const inputs = inputsPart(drawn);
  const more = html`${others} ${studio.hasRealPerson && realPersonPart(drawn)}`;
  const fitted = attributes({
    type: 'hidden',
    name: fittedField,
    value: drawn.form.get(fittedField),
    autocomplete: 'off',
  });
  return html`<input ${fitted} />
    <div>
      ${panelChip({
        id: 'chip-model',
        label: text('generation.model'),
        shown: model.displayName,
        panel: modelCards(site, { chosen: model, ...drawn }, recent),
      })}
      ${
        inputs &&
        panelChip({
          id: 'chip-inputs',
          label: text('generation.inputs'),
          shown: html`${inputThumbs(drawn)}
          ${mode === null ? text('studio.references') : modeLabel(mode)}`,
          isOpen: isWrong(['add', ...slots.map(({ name }) => name)]),
          panel: html`${modeField(studio)} ${inputs}`,
        })
      }
      ${chips} ${timesField(drawn.fields)}
    </div>
    ${panelChip({
      id: 'chip-more',
      label: text('studio.more'),
      isOpen: hasError || isWrong(realPersonFields),
      panel: more,
    })}`;
}

function modeField({ model, mode }: StudioForm): Html | null {
  if (model.type !== 'video') return null;
  const modes = model.modes.map((value) => ({ value, label: modeLabel(value) }));
  return choiceTiles('mode', text('generation.mode'), modes, { value: mode ?? '' });
}

/** The form as sample calls; empty fields are omitted. */
function asCode({ openApi, deps }: Site, { model, body }: StudioForm): Html {
  const operation = model.type === 'video' ? 'createVideo' : 'createImage';
  // Programs cannot upload files, so the samples name a file on the customer's host.
  const named = JSON.stringify(body, (_name, value: unknown) => {
    const isUpload =
      typeof value === 'string' && parseUploadUrl(value, deps.publicUrls.mediaUrl) !== null;
    return isUpload ? 'https://your-files.example/file' : value;
  });
  return sampleTabs('code', samplesFor(openApi(), operation, JSON.parse(named) as typeof body));
}

const realPersonFields = [
  'parameters.real_person_mode',
  'compliance.rights_confirmed',
  'compliance.consent_reference',
];

function realPersonPart({ form, errors, fields }: ComposerView): Html {
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
  const reference = fields.input('compliance.consent_reference', text('studio.consentReference'), {
    hint: text('studio.consentHint'),
    maxlength: 128,
    autocomplete: 'off',
  });
  const consent = html`<label class="check" id="field-compliance-rights-confirmed"
      ><input ${confirmed} /> ${text('studio.rights')}</label
    >
    ${confirmation !== undefined && html`<p class="problem" id="rights-problem">${confirmation}</p>`}
    ${reference}`;
  return html`<fieldset>
    <legend>${text('studio.realPeople')}</legend>
    <label class="check"><input ${box} /> ${text('studio.showsPerson')}</label>
    ${error !== undefined && html`<p class="problem">${error}</p>`} ${isOn && consent}
  </fieldset>`;
}
