import { readFileSync } from 'node:fs';
import type { Router } from '@koa/router';
import { type Brand, type Scheme, schemes } from '../../domain/brand/brand.ts';
import type { Logo } from '../../domain/brand/logo.ts';
import { text } from '../../texts/text.ts';
import { filePolicy, inlineStyles } from '../contentPolicy.ts';
import { type RequestState, staticResponse } from '../context.ts';
import { type Html, html } from './html.ts';

const builtInIcon: Logo = {
  type: 'image/svg+xml',
  bytes: readFileSync(new URL('assets/icon.svg', import.meta.url)),
  ratio: 1,
};

/** Height of the logo in the header, in pixels. */
const height = 26;

/** Wider logos contain the name, which is then not repeated next to them. */
const widestMark = 1.5;

/** A picture and its path. */
interface PlacedPicture {
  path: string;
  logo: Logo;
}

/** The logos of each scheme and the tab icons; shared if one file serves both. */
function placedOf({ logo }: Brand): {
  logos: Record<Scheme, PlacedPicture>;
  icons: Record<Scheme, PlacedPicture>;
} {
  const both = (placed: PlacedPicture) => ({ light: placed, dark: placed });
  if (logo === null) {
    const placed = both({ path: '/site/icon.svg', logo: builtInIcon });
    return { logos: placed, icons: placed };
  }
  const place = (name: string, one: Logo) => ({
    path: `/site/${name}.${one.type === 'image/png' ? 'png' : 'svg'}`,
    logo: one,
  });
  const light = place('logo', logo.light);
  const dark = logo.dark === logo.light ? light : place('logo-dark', logo.dark);
  const logos = { light, dark };
  return { logos, icons: logo.icon ? both(place('icon', logo.icon)) : logos };
}

/** Logo and name as a link. @param role Text after the name. */
export function brandLink(brand: Brand, href: string, role?: string): Html {
  const { logos } = placedOf(brand);
  const { light, dark } = logos;
  const isMark = light.logo.ratio <= widestMark;
  const width = Math.round(height * light.logo.ratio);
  const picture = html`<img
    src="${light.path}"
    alt="${!isMark && brand.name}"
    width="${width}"
    height="${height}"
  />`;
  return html`<a class="brand" href="${href}"
    >${
      dark === light
        ? picture
        : html`<picture
            ><source srcset="${dark.path}" media="(prefers-color-scheme: dark)" />
            ${picture}</picture
          >`
    }
    ${isMark && brand.name}${role !== undefined && html` <span class="quiet">${role}</span>`}</a
  >`;
}

/** Tab icons, as elements of the head. */
export function iconLinks(brand: Brand): Html {
  const { light, dark } = placedOf(brand).icons;
  const link = ({ path, logo }: PlacedPicture, media: Html | null) =>
    html`<link rel="icon" href="${path}" type="${logo.type}" ${media} />`;
  if (light === dark) return link(light, null);
  const links = schemes.map((scheme) =>
    link(scheme === 'light' ? light : dark, html`media="(prefers-color-scheme: ${scheme})"`),
  );
  return html`${links}`;
}

/** Links and other content at the foot of a page; null without either. */
export function foot(
  { support, legal }: Brand,
  content: Html | null | false | undefined,
): Html | null {
  const links = [
    [text('site.supportLink'), support],
    [text('site.terms'), legal.terms],
    [text('site.privacy'), legal.privacy],
    [text('site.imprint'), legal.imprint],
  ] as const;
  const linked = links.filter(([, href]) => href !== null);
  if (linked.length === 0 && !content) return null;
  return html`<footer>
    ${linked.map(([label, href]) => html`<a href="${href}">${label}</a> `)} ${content}
  </footer>`;
}

/** The brand's colours as tokens, besides those of base.css. */
export function tokensOf({ colours }: Pick<Brand, 'colours'>): string {
  const token = (name: 'accent' | 'onAccent') =>
    `light-dark(${schemes.map((scheme) => colours[scheme][name]).join(', ')})`;
  return `:root {\n--accent: ${token('accent')};\n--on-accent: ${token('onAccent')};\n}\n`;
}

/** A logo is only a picture, even if opened directly. */
const logoHeaders = {
  'Content-Security-Policy': filePolicy({ 'style-src': [inlineStyles] }),
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
};

/** Serves logos and icons. */
export function addLogoRoutes(router: Router<RequestState>, brand: Brand): void {
  const { logos, icons } = placedOf(brand);
  const placed = [logos.light, logos.dark, icons.light, icons.dark];
  const byPath = new Map(placed.map(({ path, logo }) => [path, logo]));
  // Browsers request it for content other than pages, and so do programs that preview links.
  byPath.set('/favicon.ico', icons.light.logo);
  for (const [path, { type, bytes }] of byPath) {
    const written = type === 'image/svg+xml' ? `${type}; charset=utf-8` : type;
    router.get(path, staticResponse(Buffer.from(bytes), written, logoHeaders));
  }
}
