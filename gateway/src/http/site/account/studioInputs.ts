import { attributes, html, type Html } from '../../pages/html.ts';
import type { FormFields } from './fields.ts';
import { thumbnail } from './pictures.ts';
import type { RecentWork } from './recentWork.ts';
import type { Site } from './site.ts';
import type { StudioForm } from './studioForm.ts';

/** The fields of a form's inputs, each with its picture where it is known; null where the mode takes none. */
export function inputsPart({
  studio: { slots },
  site,
  fields,
  recent,
}: {
  studio: Pick<StudioForm, 'slots'>;
  site: Site;
  fields: FormFields;
  recent: RecentWork;
}): Html | null {
  if (slots.length === 0) return null;
  const inputs = slots.map(({ name, label, url }) => {
    const field = fields.input(name, label, {
      value: url,
      type: 'url',
      placeholder: 'https://',
      autocomplete: 'off',
      spellcheck: 'false',
      'data-reload': true,
    });
    const shown = pictureOf(url, site, recent);
    return html`<div class="slot">
      ${shown && html`<span class="thumb" aria-hidden="true">${shown}</span>`} ${field}
    </div>`;
  });
  const takesImages = slots.some(({ type }) => type === 'image');
  return html`<fieldset>
    <legend>Inputs</legend>
    <p class="hint">
      Public https addresses on a host that one of your <a href="/settings/public-api">keys</a> has
      approved, or a picture of your own.
    </p>
    ${inputs} ${takesImages && picksOf(site, recent)}
  </fieldset>`;
}

/** Pictures that one click puts into the next place. */
function picksOf({ samples }: Site, { pictures }: RecentWork): Html {
  const pick = (id: string, value: string, picture: Html, label: string) => {
    const own = attributes({
      ...{ id, class: 'sample-pick', name: 'do', value },
      // Without the script the page loads anew, and goes on where the picture was picked.
      ...{ formaction: '/studio#what', 'data-reload': true },
    });
    return html`<button ${own}>
      <span class="thumb">${picture}</span><span class="what">Use ${label}</span>
    </button>`;
  };
  const sampled = samples.map(({ name }) => {
    const label = name.replace('.jpg', '').replaceAll('-', ' ');
    return pick(`sample-${name}`, `sample:${name}`, samplePicture(name), label);
  });
  const own = pictures.map(({ generationId, item, poster, title }) =>
    pick(`own-${generationId}`, `own:${generationId}`, thumbnail(item, poster), title),
  );
  const row = (label: string, buttons: Html[]) =>
    buttons.length > 0 &&
    html`<div class="samples-row" role="group" aria-label="${label}">${buttons}</div>`;
  return html`${row('From your history', own)} ${row('Sample pictures', sampled)}`;
}

const samplePicture = (name: string): Html =>
  html`<img src="/site/samples/${name}" alt="" width="120" height="68" loading="lazy" />`;

/** What a known address shows; no page of ours loads a stranger's. */
function pictureOf(url: string, { samples }: Site, { pictures }: RecentWork): Html | null {
  const sample = samples.find((each) => each.url === url);
  if (sample) return samplePicture(sample.name);
  const own = pictures.find((each) => url !== '' && each.url === url);
  return own ? thumbnail(own.item, own.poster) : null;
}
