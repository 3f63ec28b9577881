import type { Form } from '../../pages/form.ts';
import { formatNumber } from '../../pages/format.ts';
import { attributes, html, type Html } from '../../pages/html.ts';
import { tokenField } from '../../pages/layout.ts';
import { formFields, type FormErrors, type FormFields } from './fields.ts';
import type { Site, SiteContext } from './site.ts';
import type { StudioForm } from './studioForm.ts';
import { priceAndButton } from './studioPrice.ts';

/** The form that makes a video or images, as it is shown. */
interface Shown {
  site: Site;
  form: Form;
  studio: StudioForm;
  errors: FormErrors | undefined;
  fields: FormFields;
}

/**
 * The form that makes a video or images.
 * @param shown.formKey A random id of the form: sent twice, it makes one generation.
 */
export function studioView(
  ctx: SiteContext,
  page: Omit<Shown, 'fields'> & { formKey: string },
): Html {
  const { site, form, studio, errors, formKey } = page;
  const shown: Shown = { ...page, fields: formFields(form, errors) };
  const { fields } = shown;
  const { model } = studio;
  const models = site.models.map(({ id, displayName, type }): [string, string] => [
    id,
    type === 'video' ? displayName : `${displayName} (images)`,
  ]);
  const prompt = fields.text('prompt', 'Prompt', {
    hint: `Up to ${formatNumber(model.maxPromptLength)} characters.`,
    rows: 4,
    required: true,
  });
  const what = html`<div class="pair">
      ${fields.select('model', 'Model', models, { value: model.id, 'data-reload': true })}
      ${modeField(shown)}
    </div>
    ${prompt} ${inputsPart(shown)}`;
  const how = html`${parametersPart(shown)} ${studio.hasRealPerson && realPersonPart(shown)}`;
  return html`<h1>Studio</h1>
    ${fields.errorSummary()}
    <form action="/studio" method="post" class="studio" id="studio" novalidate>
      ${tokenField(ctx)}
      <input type="hidden" name="form_key" value="${formKey}" />
      <button class="visually-hidden" name="do" value="update" tabindex="-1" aria-hidden="true">
        Update
      </button>
      <div class="what-to-make" id="what">${what}</div>
      <div>
        <div id="how">${how}</div>
        ${priceAndButton(ctx, site, studio)}
      </div>
    </form>`;
}

const modeLabels: Readonly<Record<string, string>> = {
  'text-to-video': 'Text to Video',
  'image-to-video': 'Image to Video',
  'multimodal-to-video': 'References to Video',
};

function modeField({ studio: { model, mode }, fields }: Shown): Html | null {
  if (model.type !== 'video') return null;
  const modes = model.modes.map((each): [string, string] => [each, modeLabels[each] ?? each]);
  return fields.select('mode', 'Mode', modes, { value: mode ?? '', 'data-reload': true });
}

function inputsPart({ studio: { slots }, site: { samples }, fields }: Shown): Html | null {
  if (slots.length === 0) return null;
  const inputs = slots.map(({ name, label, url }) =>
    fields.input(name, label, {
      value: url,
      type: 'url',
      placeholder: 'https://',
      autocomplete: 'off',
      spellcheck: 'false',
      'data-reload': true,
    }),
  );
  const takesImages = slots.some(({ type }) => type === 'image');
  const buttons = samples.map(({ name }) => {
    const label = name.replace('.jpg', '').replaceAll('-', ' ');
    const own = attributes({
      id: `sample-${name}`,
      class: 'sample-pick',
      name: 'do',
      value: `sample:${name}`,
      // Without the script the page loads anew, and goes on where the picture was picked.
      formaction: '/studio#what',
      'data-reload': true,
    });
    return html`<button ${own}>
      <img src="/site/samples/${name}" alt="" width="120" height="68" /><span>Use ${label}</span>
    </button>`;
  });
  return html`<fieldset>
    <legend>Inputs</legend>
    <p class="hint">
      Public https addresses on a host that one of your <a href="/settings/public-api">keys</a> has
      approved, or the address of an output of your own.
    </p>
    ${inputs}
    ${
      takesImages &&
      buttons.length > 0 &&
      html`<div class="samples-row" role="group" aria-label="Sample pictures">${buttons}</div>`
    }
  </fieldset>`;
}

function parametersPart({ studio: { model, typed }, fields }: Shown): Html {
  const choice = (name: string, label: string, values: readonly string[], preset: string) => {
    const choices = values.map((value): [string, string] => [
      value,
      name === 'output_format' ? value.toUpperCase() : value,
    ]);
    return fields.select(`parameters.${name}`, label, choices, { value: typed[name] ?? preset });
  };
  const number = (
    name: string,
    label: string,
    range: { min: number; max: number },
    preset: number,
  ) =>
    fields.input(`parameters.${name}`, `${label} (${range.min} to ${range.max})`, {
      value: typed[name] ?? preset,
      type: 'number',
      min: range.min,
      max: range.max,
      step: 1,
    });
  const seed = fields.input('parameters.seed', 'Seed (optional)', {
    value: typed['seed'] ?? '',
    inputmode: 'numeric',
    autocomplete: 'off',
  });
  const sound = attributes({
    type: 'checkbox',
    name: 'parameters.generate_audio',
    value: 'true',
    id: 'field-parameters-generate-audio',
    checked: typed['generate_audio'] === 'true',
  });
  return html`<fieldset>
    <legend>Parameters</legend>
    <div class="pair">
      ${
        model.type === 'video'
          ? number('duration_seconds', 'Seconds', model.duration, model.duration.default)
          : number('n', 'Images', model.n, model.defaults.n)
      }
      ${choice('resolution', 'Resolution', model.resolutions, model.defaults.resolution)}
      ${choice('aspect_ratio', 'Aspect ratio', model.aspectRatios, model.defaults.aspectRatio)}
      ${
        model.type === 'image' &&
        choice('output_format', 'Format', model.outputFormats, model.defaults.outputFormat)
      }
      ${seed}
    </div>
    ${
      model.type === 'video' &&
      model.generateAudio &&
      html`<label class="check"><input ${sound} /> With sound (a quarter more)</label>`
    }
  </fieldset>`;
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
