import type { Model } from '@framegate/contract';
import type { Limits } from '../../../domain/account.ts';
import type { ApiDocument } from './apiDocument.ts';
import type { Samples } from './samples.ts';

/** What the documentation says of this very gateway, from its settings. */
export interface DocsFacts {
  /** Public address of the API, ending in `/v1`. */
  baseUrl: string;
  /** Public address of the site, on which this documentation stands. */
  siteUrl: string;
  /** Models that are for sale here, with their prices. */
  models: readonly Model[];
  /** Of an account without limits of its own. */
  limits: Limits;
  /** Hosts that every key may use without being asked about, such as `*.files.example.com`. */
  openHosts: readonly string[];
  idempotencyKeptSeconds: number;
  outputsKeptSeconds: number;
  inputsKeptSeconds: number;
  /** How long the URL of an output works at most. */
  outputUrlSeconds: number;
  /** How long a generation may wait before it fails; the least and the most of all models. */
  waitingSeconds: { min: number; max: number };
  signupCredits: number;
  /** Who may make an account. */
  signUp: 'open' | 'invite' | 'closed';
  /** Whether people can sign up and in here. */
  hasAccounts: boolean;
  /** Where customers get credits and help; null where the operator names no place. */
  links: { credits: string | null; support: string | null };
  /** Address of the Model Context Protocol; null where it is off. */
  mcpUrl: string | null;
}

/** A length of time in its largest whole unit: `7 days`, `24 hours`, `90 minutes`. */
export function span(seconds: number): string {
  const units = [
    ['days', 86_400],
    ['hours', 3600],
    ['minutes', 60],
  ] as const;
  const unit = units.find(([, length]) => seconds % length === 0 && seconds > length);
  if (unit === undefined) return `${grouped(seconds)} seconds`;
  return `${grouped(seconds / unit[1])} ${unit[0]}`;
}

/** A number with its thousands apart. */
export function grouped(number: number): string {
  return number.toLocaleString('en-US');
}

/** Bytes in whole megabytes, or kilobytes below one. */
export function size(bytes: number): string {
  return bytes < 1_000_000
    ? `${grouped(Math.floor(bytes / 1000))} kB`
    : `${grouped(Math.floor(bytes / 1_000_000))} MB`;
}

/** A Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** A section of the documentation for customers. */
export interface Guide {
  /** Of the section in the page. */
  id: string;
  title: string;
  /** Markdown, and calls that are shown in several languages. */
  parts: readonly (string | Samples)[];
}

/** What guides are written from. */
export interface GuideSource {
  api: ApiDocument;
  facts: DocsFacts;
}
