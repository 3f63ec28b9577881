import type { Router } from '@koa/router';
import { type Model, presentModel } from '@framegate/contract';
import type { App } from '../../../application/app.ts';
import {
  type CatalogueVersion,
  pricedFor,
  soldAt,
  versionAt,
} from '../../../domain/catalogue/catalogue.ts';
import {
  type CatalogueChange,
  catalogueChanges,
} from '../../../domain/catalogue/catalogueChanges.ts';
import { formatMoney, moneyOf } from '../../../domain/providers/cost.ts';
import { formatNumber, type Html, html, timestamp } from '../../pages/html.ts';
import type { StaffContext, StaffState } from '../context.ts';
import { badge, table } from '../elements.ts';
import { showPage } from '../layout.ts';
import { needs } from '../needs.ts';

/** Versions shown; each has its changes, so that one more is read. */
const maxVersions = 20;
/** Changes shown of a version; `models check` and the versions of the operator API have all. */
const maxChanges = 50;

/** The models sold now with their prices, and the versions of the catalogue with their changes. */
export function pricePages(router: Router<StaffState>, deps: App): void {
  router.get('/staff/prices', needs('see'), async (ctx: StaffContext) => {
    const versions = await deps.catalogues.page(null, maxVersions + 1);
    const now = deps.clock.now();
    const current = versionAt(versions, now);
    const content = html`<h1>Prices</h1>
      ${current && soldPart(deps, current, now)} ${versionsPart(versions, current, now)}`;
    showPage(ctx, 'Prices', content);
  });
}

function soldPart({ creditValue }: App, { models, groups }: CatalogueVersion, now: number): Html {
  const sold = soldAt(models, now);
  const priceIn = (group: string | null, id: string) => {
    const model = pricedFor(sold, groups, group).find((each) => each.id === id);
    return model ? priceOf(model) : '';
  };
  const rows = sold.map((model) => {
    const price = priceOf(model);
    const others = Object.keys(groups).flatMap((group) => {
      const own = priceIn(group, model.id);
      return own === price ? [] : [html`<br /><span class="quiet">${group}: ${own}</span>`];
    });
    return [
      model.id,
      html`${price}${others}`,
      presentModel(model).pricing.per,
      model.sunsetAt === null ? null : timestamp(Date.parse(model.sunsetAt)),
    ];
  });
  return html`<section>
    <h2>Sold now</h2>
    ${table(['Model', 'Credits', 'Per', 'Sold until (UTC)'], rows, 'No model is sold.')}
    ${creditValue && html`<p class="quiet">100 credits are ${formatMoney(moneyOf(100, creditValue))}.</p>`}
  </section>`;
}

const priceOf = (model: Model): string =>
  Object.entries(presentModel(model).pricing.credits)
    .map(([resolution, credits]) => `${resolution} ${formatNumber(credits)}`)
    .join(' · ');

function versionsPart(
  versions: readonly CatalogueVersion[],
  current: CatalogueVersion | null,
  now: number,
): Html {
  const rows = versions
    .slice(0, maxVersions)
    .map((version, index) => [
      version.number,
      html`${version.number === 1 ? 'the start' : timestamp(version.from)}
      ${version === current ? badge('in force') : version.from > now && badge('to come')}`,
      changesOf(version, versions[index + 1]),
      version.isOperators ? 'MODELS_FILE or PRICES_FILE' : 'the built-in models',
      html`${timestamp(version.publishedAt)}<br /><span class="quiet"
          >${version.publishedBy}</span
        >`,
    ]);
  const columns = ['Version', 'In force from (UTC)', 'Changes', 'Set in', 'Published (UTC), by'];
  return html`<section>
    <h2>Changes</h2>
    <p class="quiet">Each change has its place in the entry of the model, as in the file.</p>
    ${table(columns, rows, 'No version yet.')}
  </section>`;
}

function changesOf(version: CatalogueVersion, before: CatalogueVersion | undefined): Html {
  if (before === undefined) return html`<span class="quiet">${version.models.length} models</span>`;
  const changes = catalogueChanges(before, version);
  if (changes.length === 0) return html`<span class="quiet">none for customers</span>`;
  const more = changes.length - maxChanges;
  return html`${changes.slice(0, maxChanges).map((change) => html`${inWords(change)}<br />`)}
  ${more > 0 && `and ${formatNumber(more)} more`}`;
}

function inWords({ group, model, field, before, after }: CatalogueChange): Html {
  const of = group === null ? model : `${model} (${group})`;
  if (field === '') return html`<b>${of}</b> ${after === true ? 'added' : 'removed'}`;
  return html`<b>${of}</b> <code>${field}</code>: ${JSON.stringify(before)} →
    ${JSON.stringify(after)}`;
}
