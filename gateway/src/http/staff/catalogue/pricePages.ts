import type { Router } from '@koa/router';
import { type Model, presentModel } from '@framegate/contract';
import type { App } from '../../../application/app.ts';
import {
  type CatalogueVersion,
  soldAt,
  versionAt,
  withGroupPrices,
} from '../../../domain/catalogue/catalogue.ts';
import {
  type CatalogueChange,
  catalogueChanges,
} from '../../../domain/catalogue/catalogueChanges.ts';
import { type CatalogueFile, placesOf } from '../../../domain/catalogue/catalogueFile.ts';
import { formatMoney, moneyOf } from '../../../domain/providers/cost.ts';
import { formatNumber, type Html, html, timestamp } from '../../pages/html.ts';
import type { StaffContext, StaffState } from '../context.ts';
import { badge, table } from '../elements.ts';
import { showPage } from '../layout.ts';
import { needs } from '../needs.ts';

/** Maximum versions shown. One more is read, to compare the oldest with. */
const maxVersions = 20;
/** Maximum changes shown per version; `models check` and the operator API list all. */
const maxChanges = 50;

/** The models sold now, with their prices and the places that set them, and the versions with their changes. */
export function addPricePages(router: Router<StaffState>, deps: App): void {
  router.get('/staff/prices', needs('see'), async (ctx: StaffContext) => {
    const versions = await deps.catalogues.listPage(null, maxVersions + 1);
    const nowMs = deps.clock.now();
    const current = versionAt(versions, nowMs);
    const file = deps.readCatalogueFile();
    const content = html`<h1>Prices</h1>
      ${file && 'problem' in file && html`<p class="notice warning">${file.name} cannot be used now: ${file.problem}. The prices below stay.</p>`}
      ${current && soldPart(deps, current, placesOf(current, file), nowMs)}
      ${versionsPart(versions, current, file, nowMs)}`;
    showPage(ctx, 'Prices', content);
  });
}

type Places = ReturnType<typeof placesOf>;

function soldPart(
  { creditValue }: App,
  { models, groups }: CatalogueVersion,
  placeOf: Places,
  nowMs: number,
): Html {
  const sold = soldAt(models, nowMs);
  const priceIn = (group: string | null, id: string) =>
    withGroupPrices(sold, groups, group).find((each) => each.id === id);
  const rows = sold.map((model) => {
    const own = Object.keys(groups).flatMap((group) => {
      const priced = priceIn(group, model.id);
      return priced === undefined || priced === model ? [] : [pricesOf(priced, group, placeOf)];
    });
    const sunset = { group: null, model: model.id, field: 'sunset_at' };
    return [
      model.id,
      html`${pricesOf(model, null, placeOf)}${own}`,
      presentModel(model).pricing.per,
      model.sunsetAt === null
        ? null
        : html`${timestamp(Date.parse(model.sunsetAt))} ${quiet(placeOf(sunset))}`,
    ];
  });
  return html`<section>
    <h2>Sold now</h2>
    ${table(['Model', 'Credits, and where they are set', 'Per', 'Sold until (UTC)'], rows, 'No model is sold.')}
    <p class="quiet">
      Built-in prices are in <code>shared/src/catalogue.ts</code>.
      ${creditValue && html`100 credits are ${formatMoney(moneyOf(100, creditValue))} (<code>CREDIT_VALUE</code>).`}
    </p>
  </section>`;
}

const quiet = (text: string) => html`<span class="quiet">${text}</span>`;

/** The prices of a model, grouped by the place that sets them. */
function pricesOf(model: Model, group: string | null, placeOf: Places): Html {
  const places = new Map<string, string[]>();
  for (const [resolution, credits] of Object.entries(presentModel(model).pricing.credits)) {
    const place = placeOf({ group, model: model.id, field: `pricing.credits.${resolution}` });
    const price = `${resolution} ${formatNumber(credits)}`;
    places.set(place, [...(places.get(place) ?? []), price]);
  }
  return html`${[...places].map(
    ([place, prices]) =>
      html`${group !== null && quiet(`${group}: `)}${prices.join(' · ')} ${quiet(place)}<br />`,
  )}`;
}

function versionsPart(
  versions: readonly CatalogueVersion[],
  current: CatalogueVersion | null,
  file: CatalogueFile | null,
  nowMs: number,
): Html {
  const rows = versions.slice(0, maxVersions).map((version, index) => [
    version.number,
    html`${version.number === 1 ? 'the start' : timestamp(version.from)}
    ${version === current ? badge('in effect') : version.from > nowMs && badge('upcoming')}`,
    // Earlier versions came from earlier contents of the file.
    changesOf(version, versions[index + 1], index === 0 && file ? placesOf(version, file) : null),
    !version.isOperators
      ? 'the built-in models'
      : index === 0 && file
        ? file.name
        : 'MODELS_FILE or PRICES_FILE',
    html`${timestamp(version.publishedAt)}<br />${quiet(version.publishedBy)}`,
  ]);
  const columns = ['Version', 'In effect from (UTC)', 'Changes', 'Set in', 'Published (UTC), by'];
  return html`<section>
    <h2>Changes</h2>
    <p class="quiet">Each change shows its path within the model's entry in the file.</p>
    ${table(columns, rows, 'No version yet.')}
  </section>`;
}

function changesOf(
  version: CatalogueVersion,
  before: CatalogueVersion | undefined,
  placeOf: Places | null,
): Html {
  if (before === undefined) return html`<span class="quiet">${version.models.length} models</span>`;
  const changes = catalogueChanges(before, version);
  if (changes.length === 0) return html`<span class="quiet">none for customers</span>`;
  const more = changes.length - maxChanges;
  return html`${changes.slice(0, maxChanges).map((change) => html`${describeChange(change)} ${placeOf && quiet(placeOf(change))}<br />`)}
  ${more > 0 && `and ${formatNumber(more)} more`}`;
}

function describeChange({ group, model, field, before, after }: CatalogueChange): Html {
  const subject = group === null ? model : `${model} (${group})`;
  if (field === '') return html`<b>${subject}</b> ${after === true ? 'added' : 'removed'}`;
  return html`<b>${subject}</b> <code>${field}</code>: ${JSON.stringify(before)} →
    ${JSON.stringify(after)}`;
}
