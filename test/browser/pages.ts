import type { House, Who } from './support/furnish.ts';
import type { Kind, Weight } from './support/weigh.ts';

/**
 * Every page with its budget in bytes. looks.acceptance.ts inspects each at three widths, light and dark, and
 * compares it with its budget; a new page is a line here.
 */

/** How far the parts of a page may move while it is loaded (cumulative layout shift). */
const maxShift = 0.01;

/** Kilobytes that pages of one part share, as they are transferred. */
const shared = {
  site: { css: 4.8, js: 2.8, font: 50 },
  /** Budget of the studio, which has its own style sheet and script. */
  studio: { css: 7.4, js: 6.8, font: 50 },
  wall: { css: 5.7, js: 4, font: 50 },
  console: { css: 4.1, js: 2, font: 50 },
  /** The documentation brings its style in its page. */
  docs: { css: 0, js: 3, font: 50 },
} as const;

/** A page, and the limit of its own kilobytes. */
export interface ListedPage {
  name: string;
  who: Who;
  path: (house: House) => string;
  part: keyof typeof shared;
  html: number;
  pictures: number;
}

type Line = readonly [
  name: string,
  path: string | ((house: House) => string),
  html: number,
  pictures?: number,
];

function pagesOf(who: Who, part: ListedPage['part'], lines: readonly Line[]): ListedPage[] {
  return lines.map(([name, path, html, pictures = 2]) => ({
    name,
    who,
    part,
    html,
    pictures,
    path: typeof path === 'string' ? () => path : path,
  }));
}

export const pages: readonly ListedPage[] = [
  ...pagesOf('stranger', 'site', [
    ['start', '/', 4, 30],
    ['status', '/status', 4],
    ['sign-up', '/sign-up', 4],
    ['confirm', ({ confirmPath }) => confirmPath, 4],
    ['sign-in', '/sign-in', 4],
    ['forgotten-password', '/forgotten-password', 4],
    ['wrong-address', '/nowhere', 4],
  ]),
  ...pagesOf('stranger', 'docs', [
    ['docs', '/docs', 25],
    ['clients', '/clients', 10],
  ]),
  ...pagesOf('stranger', 'console', [
    ['staff-sign-in', '/staff/sign-in', 4],
    ['staff-enrol', '/staff/enrol', 4],
  ]),
  ...pagesOf('newcomer', 'site', [
    ['keys-empty', '/settings/public-api', 9],
    ['credits-empty', '/credits', 6],
  ]),
  ...pagesOf('newcomer', 'wall', [['history-empty', '/history', 4]]),
  ...pagesOf('newcomer', 'studio', [['studio-empty', '/studio', 24, 20]]),
  ...pagesOf('customer', 'site', [
    ['start-signed-in', '/', 4, 30],
    ['keys', '/settings/public-api', 10],
    ['key', ({ keyId }) => `/settings/public-api/keys/${keyId}`, 9],
    ['generation-completed', ({ made }) => `/generations/${made.completed}`, 6.7, 6],
    ['generation-images', ({ made }) => `/generations/${made.images}`, 8, 80],
    ['generation-failed', ({ made }) => `/generations/${made.failed}`, 6],
    ['generation-running', ({ made }) => `/generations/${made.running}`, 6],
    ['share', ({ made }) => `/generations/${made.completed}/share`, 4.2],
    ['no-generation', '/generations/gen_01arz3ndektsv4rrffq69g5fav', 4],
    ['credits', '/credits', 12],
    ['account', '/settings/account', 8],
    ['second-factor', '/settings/account/second-factor', 24],
    ['erasure', '/settings/account/erasure', 5],
    ['export', '/settings/account/export', 5],
  ]),
  ...pagesOf('customer', 'wall', [
    ['history', '/history', 13, 20],
    ['history-narrowed', ({ keyId }) => `/history?state=failed&by=${keyId}`, 10.8],
    ['compare', ({ made }) => `/history/compare?id=${made.completed}&id=${made.images}`, 6, 80],
    ['compare-one', ({ made }) => `/history/compare?id=${made.completed}`, 13, 20],
    ['delete', ({ made }) => `/history/delete?id=${made.completed}&id=${made.images}`, 5, 20],
  ]),
  ...pagesOf('customer', 'studio', [
    ['studio', '/studio', 35, 40],
    ['studio-made', ({ made }) => `/studio?generation=${made.completed}`, 36, 40],
    ['studio-running', ({ made }) => `/studio?generation=${made.running}`, 36, 40],
    ['studio-inputs', ({ made }) => `/studio?frame=${made.images}`, 39, 44],
  ]),
  ...pagesOf('staff', 'console', [
    ['staff-overview', '/staff', 16],
    ['staff-list', '/staff/generations?state=failed&since=today', 10],
    ['staff-routes', '/staff/routes', 18],
    ['staff-prices', '/staff/prices', 6],
    ['staff-charts', '/staff/charts', 22],
    ['staff-costs', '/staff/costs', 10],
    ['staff-hosts', '/staff/hosts', 6],
    ['staff-unknown', '/staff/unknown', 6],
    ['staff-proposals', '/staff/proposals', 6],
    ['staff-jobs', '/staff/jobs', 12],
    ['staff-mails', '/staff/mails', 6],
    ['staff-audit', '/staff/audit', 6],
    ['staff-passkeys', '/staff/passkeys', 7],
    ['staff-completed', ({ made }) => `/staff/generations/${made.completed}`, 16, 6],
    ['staff-images', ({ made }) => `/staff/generations/${made.images}`, 12, 80],
    ['staff-unknown-outcome', ({ made }) => `/staff/generations/${made.unknown}`, 16],
    ['staff-resolve', ({ made }) => `/staff/generations/${made.unknown}/resolve-unknown`, 7],
    ['staff-confirm', ({ made }) => `/staff/generations/${made.running}/fail-and-refund`, 6],
    ['staff-account', ({ accountId }) => `/staff/accounts/${accountId}`, 16],
    ['staff-goodwill', ({ accountId }) => `/staff/accounts/${accountId}/goodwill`, 6],
    ['staff-limits', ({ accountId }) => `/staff/accounts/${accountId}/limits`, 6],
    ['staff-erase', ({ accountId }) => `/staff/accounts/${accountId}/erase`, 6],
  ]),
  ...pagesOf('staff', 'site', [['staff-wrong-address', '/staff/nowhere', 4]]),
];

/** Excesses over the budget of a page, a line each. */
export function overBudget(page: ListedPage, { kilobytes, shift }: Weight): string[] {
  const { html, pictures } = page;
  const budget: Record<Kind, number> = { html, pictures, ...shared[page.part] };
  const heavy = Object.entries(budget).filter(([kind, max]) => kilobytes[kind as Kind] > max);
  return [
    ...heavy.map(
      ([kind, max]) =>
        `${page.name}: ${kilobytes[kind as Kind].toFixed(1)} kB of ${kind}, ${String(max)} are allowed`,
    ),
    ...(shift > maxShift ? [`${page.name}: its parts move by ${shift.toFixed(3)}`] : []),
  ];
}
