import type { Model } from '@framegate/contract';
import { sourceOfUrl } from '../../../../application/studio/madeUploads.ts';
import { type Upload, uploadUrl } from '../../../../domain/generations/uploads.ts';
import { locale } from '../../../../texts/language.ts';
import { type FixedKey, text } from '../../../../texts/text.ts';
import { icon } from '../../../pages/elements.ts';
import type { FormErrors } from '../../../pages/formErrors.ts';
import { attributes, type Html, html, richText } from '../../../pages/html.ts';
import type { FormFields } from '../fields.ts';
import { keysLink } from '../keys/keyForms.ts';
import { samplePath, thumbnail } from '../pictures.ts';
import type { Site } from '../site.ts';
import type { RecentWork } from './recentWork.ts';
import { formButton } from './studioChoices.ts';
import type { InputSlot, StudioForm } from './studioForm.ts';

/** Data behind the inputs of the form. */
interface InputsView {
  studio: Pick<StudioForm, 'slots' | 'model' | 'mode'>;
  site: Site;
  fields: FormFields;
  errors: FormErrors | undefined;
  recent: RecentWork;
  uploads: readonly Upload[];
}

/** Fields of the form's inputs with previews, or of a first picture; null if the model takes no inputs. */
export function inputsPart(view: InputsView): Html | null {
  const { studio, site, recent } = view;
  const { slots, model } = studio;
  const takesFirst = model.type === 'video' && model.modes.includes('image-to-video');
  if (slots.length === 0 && !takesFirst) return null;
  const takesImages = slots.length === 0 || slots.some(({ type }) => type === 'image');
  return html`<fieldset class="inputs">
    <legend class="visually-hidden">${text('generation.inputs')}</legend>
    ${slots.map((slot) => slotPart(slot, view))}
    ${slots.length === 0 && dropZone('add', 'image', text('studio.toAnimate'), model)}
    ${takesImages && picksOf(site, recent)}
    <p class="quiet">${richText('studio.inputsNote', { keys: keysLink })}</p>
  </fieldset>`;
}

/** Small pictures of the filled inputs, for the closed chip. */
export function inputThumbs({ studio: { slots }, site, recent, uploads }: InputsView): Html[] {
  return slots.flatMap((slot) => {
    const picture = slot.url === '' ? null : pictureIn(slot, { site, recent, uploads });
    return picture ? [html`<span class="thumb mini" aria-hidden="true">${picture}</span>`] : [];
  });
}

/** The picture of a filled input; null or undefined if there is none. */
function pictureIn(
  slot: InputSlot,
  { site, recent, uploads }: Pick<InputsView, 'site' | 'recent' | 'uploads'>,
): Html | null | undefined {
  const upload = uploadIn(slot, { site, uploads });
  if (upload) return previewOf(upload);
  const source = sourceOfUrl(slot);
  const seen = slot.url === '' ? undefined : uploads.find((each) => each.source === source);
  return pictureOf(slot.url, site, recent) ?? (seen && previewOf(seen));
}

const uploadIn = ({ url }: InputSlot, { site, uploads }: Pick<InputsView, 'site' | 'uploads'>) =>
  uploads.find(
    ({ id, key }) => key !== null && uploadUrl(site.deps.publicUrls.mediaUrl, id) === url,
  );

function slotPart(slot: InputSlot, view: InputsView): Html {
  const { studio, fields, errors, uploads } = view;
  const { name, label, url, type } = slot;
  const upload = uploadIn(slot, view);
  if (upload) return uploadPart(slot, upload, errors?.fields[name]);
  const field = fields.input(name, label, {
    value: url,
    type: 'url',
    placeholder: 'https://',
    autocomplete: 'off',
    spellcheck: 'false',
    // The script requests the preview as the button does.
    'data-reload': `show:${name}`,
  });
  const source = sourceOfUrl(slot);
  const seen = url === '' ? undefined : uploads.find((each) => each.source === source);
  const picture = pictureIn(slot, view);
  const show = formButton(`show-${name}`, `show:${name}`, {
    class: 'small no-script',
    'data-reload': false,
    'aria-label': text('studio.showInput', { label }),
  });
  return html`<div class="slot">
    ${picture && html`<span class="thumb" aria-hidden="true">${picture}</span>`}
    <div>
      ${field}
      ${seen && html`<p class="quiet">${[text(nouns[seen.type]), ...uploadFigures(seen)].join(', ')}</p>`}
      <button ${show}>${text('studio.show')}</button>
      ${dropZone(name, type, label, studio.model)}
    </div>
  </div>`;
}

/** A drop zone for the user's own file, which can also be chosen with a click. The script sends it immediately. */
function dropZone(name: string, type: InputSlot['type'], label: string, model: Model): Html {
  const file = attributes({
    type: 'file',
    id: `file-${name}`,
    name: `file.${name}`,
    accept: accepted[type],
    'aria-label': text('studio.yourFile', { label }),
    'data-reload': true,
    'data-max': model.inputs[type].maxBytes,
  });
  return html`<label class="drop"
    >${icon('upload')} <span>${text(drops[type])}</span><input ${file}
  /></label>`;
}

/** File types offered by browsers; the server checks the content. */
const accepted = {
  image: 'image/jpeg,image/png,image/webp',
  video: 'video/mp4,video/quicktime,video/webm',
  audio: 'audio/*',
} as const;

const drops: Readonly<Record<InputSlot['type'], FixedKey>> = {
  image: 'studio.dropImage',
  video: 'studio.dropVideo',
  audio: 'studio.dropAudio',
};
const nouns: Readonly<Record<InputSlot['type'], FixedKey>> = {
  image: 'start.image',
  video: 'start.video',
  audio: 'studio.audio',
};
const ownSource = {
  image: 'studio.yourImage',
  video: 'studio.yourVideo',
  audio: 'studio.yourAudio',
} as const;

/** An input with an uploaded file and a button that removes it. */
function uploadPart(
  { name, label, url }: InputSlot,
  upload: Upload,
  error: string | undefined,
): Html {
  const words = text(ownSource[upload.type], { facts: uploadFigures(upload).join(', ') });
  const preview = previewOf(upload);
  const clear = formButton(`clear-${name}`, `clear:${name}`, {
    'aria-label': text('studio.removeInput', { label, facts: words }),
  });
  return html`<div class="slot">
    <input type="hidden" name="${name}" value="${url}" />
    ${preview && html`<span class="thumb">${preview}</span>`}
    <p id="field-${name.replace('_', '-')}">
      <strong>${label}</strong><br />${words} <button ${clear}>${text('studio.remove')}</button>
      ${error !== undefined && html`<br /><span class="problem">${error}</span>`}
    </p>
  </div>`;
}

function uploadFigures({ size, seconds }: Upload): string[] {
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return [
    ...(size ? [`${size.width} × ${size.height}`] : []),
    ...(seconds === null ? [] : [`${seconds.toLocaleString(locale().numbers, digits)} s`]),
  ];
}

function previewOf({ id, previewKey }: Upload): Html | null {
  if (previewKey === null) return null;
  return html`<img src="/studio/uploads/${id}" alt="" width="120" height="68" />`;
}

/** Pictures that a click inserts into the next input, or as the first frame. */
function picksOf({ samples }: Site, { pictures }: RecentWork): Html {
  const pick = (id: string, value: string, picture: Html, label: string) => {
    const button = formButton(id, value, { class: 'small sample-pick', title: label });
    return html`<button ${button}>
      <span class="thumb">${picture}</span
      ><span class="visually-hidden">${text('studio.use', { label })}</span>
    </button>`;
  };
  const sampled = samples.map(({ name }) => {
    const key = sampleLabels[name];
    const label = key === undefined ? name : text(key);
    return pick(`sample-${name}`, `sample:${name}`, samplePicture(name), label);
  });
  const mine = pictures.map(({ id, item, poster, title }) =>
    pick(`own-${id}`, `own:${id}`, thumbnail(item, poster), title),
  );
  const row = (label: string, buttons: Html[]) =>
    buttons.length > 0 &&
    html`<div class="inline" role="group" aria-label="${label}">${buttons}</div>`;
  return html`${row(text('studio.fromHistory'), mine)} ${row(text('studio.samples'), sampled)}`;
}

const sampleLabels: Readonly<Record<string, FixedKey>> = {
  'harbour-at-dusk.jpg': 'studio.harbourAtDusk',
  'mountain-lake.jpg': 'studio.mountainLake',
};

const samplePicture = (name: string): Html =>
  html`<img src="${samplePath(name)}" alt="" width="120" height="68" loading="lazy" />`;

/** Preview of a known URL; our pages load no pictures from other sites. */
function pictureOf(url: string, { samples }: Site, { pictures }: RecentWork): Html | null {
  const sample = samples.find((each) => each.url === url);
  if (sample) return samplePicture(sample.name);
  const picture = pictures.find((each) => url !== '' && each.url === url);
  return picture ? thumbnail(picture.item, picture.poster) : null;
}
