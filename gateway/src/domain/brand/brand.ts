import { type Language, languages } from '../text/language.ts';
import { contrast, mix, readableOn } from './contrast.ts';
import type { Logo } from './logo.ts';
import type { Showpiece } from './showpiece.ts';

/** Browsers show pages in one of two schemes. */
export const schemes = ['light', 'dark'] as const;
/** A colour scheme of pages. */
export type Scheme = (typeof schemes)[number];

/** Colours of one scheme, as `#rrggbb`. */
export interface Colours {
  /** Links, buttons, focus and selected items. */
  accent: string;
  /** Text on a button. */
  onAccent: string;
}

/** The operator's legal pages; null if there is none. */
export interface LegalLinks {
  terms: string | null;
  privacy: string | null;
  imprint: string | null;
}

/** Logos for pages in both schemes; without an icon, browser tabs use them as well. */
export type Logos = Readonly<Record<Scheme, Logo>> & { icon: Logo | null };

/** The operator's product as customers see it on pages, in emails and in documents. */
export interface Brand {
  name: string;
  /** The name for file names and identifiers: lower-case letters, digits and hyphens. */
  slug: string;
  /** Null for the built-in icon. */
  logo: Logos | null;
  colours: Readonly<Record<Scheme, Colours>>;
  /** A support page or `mailto:` URL for the footer of each page; null for none. */
  support: string | null;
  legal: LegalLinks;
  /** The sender of emails; null parts are derived from the other settings. */
  mail: { name: string | null; address: string | null };
  /** Languages on offer; the first is the default. */
  languages: readonly Language[];
  /** Results that demonstrate models. */
  showpieces: readonly Showpiece[];
}

/** The brand without BRAND_FILE. */
export const builtInBrand: Brand = {
  name: 'Framegate',
  slug: 'framegate',
  logo: null,
  colours: {
    light: { accent: '#0f6e66', onAccent: '#ffffff' },
    dark: { accent: '#5fd0c2', onAccent: '#08201d' },
  },
  support: null,
  legal: { terms: null, privacy: null, imprint: null },
  mail: { name: null, address: null },
  languages,
  showpieces: [],
};

/** Makes a part of file names from a name; `media` for a name without any Latin letter or digit. */
export function slugOf(name: string): string {
  const latin = name.normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss').toLowerCase();
  return latin.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'media';
}

/** Page backgrounds, equal to those of base.css. */
export const grounds: Readonly<Record<Scheme, string>> = { light: '#ffffff', dark: '#0f1516' };

/** The share of a colour in the background of a badge with text in that colour, as in parts.css. */
export const tintShare = 0.13;

/** Minimum contrast of text (WCAG 2.2, 1.4.3, level AA). */
const minContrast = 4.5;

/** Text colours for buttons if the operator names none. */
const onAccents = ['#ffffff', '#101010'];

/** The most readable text colour on a button. */
export const defaultOnAccent = (accent: string): string => readableOn(accent, onAccents);

/** A colour with too little contrast, and the end of a sentence about it. */
export interface ContrastProblem {
  scheme: Scheme;
  colour: keyof Colours;
  sentence: string;
}

/** Pairs of colours with too little contrast. The tint of a badge is the accent's worst background. */
export function contrastProblems(scheme: Scheme, { accent, onAccent }: Colours): ContrastProblem[] {
  const tint = mix(accent, grounds[scheme], tintShare);
  const pairs = [
    ['accent', accent, tint, `${tint}, the background of badges on ${scheme} pages`],
    ['onAccent', onAccent, accent, 'the accent, which is the background of buttons'],
  ] as const;
  return pairs.flatMap(([colour, text, ground, about]) => {
    const ratio = contrast(text, ground);
    if (ratio >= minContrast) return [];
    // Rounded down, so that 4.499 is not shown as 4.5.
    const ratioText = (Math.floor(ratio * 100) / 100).toFixed(2);
    const sentence = `is ${text}: its contrast with ${about}, is ${ratioText}:1, and at least ${minContrast}:1 is needed`;
    return [{ scheme, colour, sentence }];
  });
}

/** The sender of emails. @param host The account site's host, for a default address. */
export function senderOf({ name, mail }: Pick<Brand, 'name' | 'mail'>, host: string): string {
  const senderName = mail.name ?? name;
  const quotedName = /^[\p{L}\p{N} ]+$/u.test(senderName) ? senderName : `"${senderName}"`;
  return `${quotedName} <${mail.address ?? `no-reply@${host}`}>`;
}
