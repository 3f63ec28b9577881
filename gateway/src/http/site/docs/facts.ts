import type { Model } from '@framegate/contract';
import type { Limits } from '../../../domain/accounts/limits.ts';
import type { Brand } from '../../../domain/brand/brand.ts';
import type { ClientFile } from '../clients/clientPackages.ts';
import type { ApiDocument } from './apiDocument.ts';
import type { Samples } from './samples.ts';

/** Facts about this gateway in the documentation, from its settings. */
export interface DocsFacts {
  brand: Brand;
  /** Version of the gateway. */
  version: string;
  /** Packages of this version that can be installed from the site. */
  clients: readonly ClientFile[];
  /** Public URL of the API, ending in `/v1`. */
  baseUrl: string;
  /** Public URL of the site with this documentation. */
  siteUrl: string;
  /** Available models. */
  models: readonly Model[];
  /** Default limits of an account. */
  limits: Limits;
  /** Input hosts that need no approval, such as `*.files.example.com`. */
  openHosts: readonly string[];
  idempotencyKeptSeconds: number;
  outputsKeptSeconds: number;
  inputsKeptSeconds: number;
  /** Maximum lifetime of an output URL. */
  outputUrlSeconds: number;
  /** Maximum waiting time of a generation: the shortest and longest of all models. */
  waitingSeconds: { min: number; max: number };
  signupCredits: number;
  /** Who may create an account. */
  signUp: 'open' | 'invite' | 'closed';
  /** Whether this gateway has an account site. */
  hasAccounts: boolean;
  /** URLs for credits and support; null if the operator has set none. */
  links: { credits: string | null; support: string | null };
  /** URL of the Model Context Protocol; null if disabled. */
  mcpUrl: string | null;
}

/** Formats a duration in its largest whole unit: `7 days`, `24 hours`, `90 minutes`. */
export function span(seconds: number): string {
  const units = [
    ['days', 86_400],
    ['hours', 3600],
    ['minutes', 60],
  ] as const;
  const unit = units.find(([, length]) => seconds % length === 0 && seconds > length);
  if (unit === undefined) return `${formatNumber(seconds)} seconds`;
  return `${formatNumber(seconds / unit[1])} ${unit[0]}`;
}

/** Formats a number with thousands separators. */
export function formatNumber(number: number): string {
  return number.toLocaleString('en-US');
}

/** Formats bytes in whole megabytes, or in kilobytes below one megabyte. */
export function size(bytes: number): string {
  return bytes < 1_000_000
    ? `${formatNumber(Math.floor(bytes / 1000))} kB`
    : `${formatNumber(Math.floor(bytes / 1_000_000))} MB`;
}

/** A Markdown table. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** A guide in the documentation for customers. */
export interface Guide {
  /** Anchor in the page. */
  id: string;
  title: string;
  /** Markdown texts, and calls in several languages. */
  parts: readonly (string | Samples)[];
}

/** Source data of the guides. */
export interface GuideSource {
  api: ApiDocument;
  facts: DocsFacts;
}
