import { createRequire } from 'node:module';
import { isIP } from 'node:net';
import { type HostOverride, parseHostName, parseHostRule } from '../domain/network/inputUrl.ts';
import type * as SharedSuffix from '../domain/network/sharedSuffix.ts';
import { parseMoney } from '../domain/providers/cost.ts';
import {
  choice,
  commaSeparated,
  flag,
  parsedSetting,
  parseLink,
  parsePublicUrl,
  wholeNumber,
} from './setting.ts';

const load = createRequire(import.meta.url);
/** Loaded late: the public-suffix list is large, and few operators configure hosts. */
const sharedSuffix = () => load('../domain/network/sharedSuffix.ts') as typeof SharedSuffix;

/** Settings of accounts: sign-up, credits, support and input hosts. */
export const accountSettings = {
  SIGN_UP: choice({
    of: ['open', 'invite', 'closed'],
    fallback: 'open',
    meaning:
      'Who may create an account on the site: everyone, invited addresses (`/staff/invitations`, `admin account invite`), or no one.',
  }),
  LEAKED_PASSWORDS_URL: parsedSetting(
    {
      allowed: 'an http or https URL',
      fallbackText: 'only the built-in list of common passwords',
      meaning:
        'Service with the range API of Pwned Passwords, such as `https://api.pwnedpasswords.com/range`, used to check new passwords for leaks. It receives five digits of the hash.',
    },
    parsePublicUrl,
  ),
  SIGNUP_CREDITS: wholeNumber({
    min: 0,
    max: 1_000_000_000,
    fallbackText: '`500` with `MODE=development`, otherwise `0`',
    unit: 'credits',
    meaning: 'Promotional credits of a new account once its address is verified.',
  }),
  LOW_CREDITS: wholeNumber({
    min: 0,
    max: 1_000_000_000,
    fallback: '100',
    unit: 'credits',
    meaning:
      "When an account's balance falls below this, the operator API has an event `credits.low`; 0 for none.",
  }),
  CREDIT_VALUE: parsedSetting(
    {
      allowed: 'an amount with at most six decimals and a currency, such as 0.01 USD',
      fallbackText: 'unknown: no margins are shown',
      meaning:
        'Your revenue per credit, for the margins that the console shows next to provider costs.',
    },
    parseMoney,
  ),
  CREDITS_URL: parsedSetting(
    {
      allowed: 'an https, http or mailto address',
      fallbackText: 'customers ask staff, who use the console',
      meaning: 'Where customers get credits; linked from the account site when they run low.',
    },
    parseLink,
  ),
  SUPPORT_URL: parsedSetting(
    {
      allowed: 'an https, http or mailto address',
      fallbackText: 'no link',
      meaning:
        'Where customers reach support; linked from errors and suspended accounts on the account site.',
    },
    parseLink,
  ),
  SUPPORT_CREDITS_PER_DAY: wholeNumber({
    min: 0,
    max: 1_000_000_000,
    fallback: '3000',
    unit: 'credits',
    meaning:
      'Credits that one support member may move per day (UTC), at most 1,000 per action: goodwill, and adjustments of unknown outcomes.',
  }),
  SECOND_PERSON_CREDITS: wholeNumber({
    min: 0,
    max: 1_000_000_000_000,
    fallback: '100000',
    unit: 'credits',
    meaning:
      'Credits that one admin may move per day (UTC), and all admins together for one account. Larger movements wait for a second admin.',
  }),
  OPERATOR_CREDITS_PER_DAY: wholeNumber({
    min: 0,
    max: 1_000_000_000_000,
    fallback: '10000000',
    unit: 'credits',
    meaning:
      'Credits that one operator key may move per day (UTC): grants, adjustments, and the monthly credits of plans.',
  }),
  CUSTOMERS_NEED_SECOND_FACTOR: flag({
    fallback: 'false',
    meaning:
      'Whether customers must use two-factor authentication. Without it, the site shows only their account pages. Existing keys keep working.',
  }),
  REAL_PERSON_NEEDS_SECOND_FACTOR: flag({
    fallback: 'false',
    meaning:
      'Whether customers need two-factor authentication for a new API key with real-person mode. Existing keys keep working; `admin key create` ignores this.',
  }),
  AUTO_APPROVED_HOSTS: parsedSetting(
    {
      allowed: 'host,*.suffix,…',
      fallbackText: 'none: staff approve each host',
      meaning: "Input hosts that are approved as soon as a key's owner requests them.",
    },
    parseHostRules,
  ),
  INPUT_HOST_OVERRIDES: parsedSetting(
    {
      allowed: 'host=ip:port,…',
      fallbackText: 'none',
      meaning:
        'For tests: inputs from these hosts are downloaded from the given addresses without the address check; TLS is still verified. Not allowed in production.',
    },
    parseHostOverrides,
  ),
};

/** Parses a comma-separated list of host rules. @throws Error naming the first invalid one. */
function parseHostRules(text: string): readonly string[] {
  return commaSeparated(text).map((item) => {
    const rule = parseHostRule(item);
    // A wildcard under a store's shared host is the operator's decision; one under a registry's suffix is a mistake.
    const own = rule.ok ? sharedSuffix().checkSharedSuffix(rule.rule, [rule.rule]) : rule;
    if (!own.ok) throw new Error(`"${item}": ${own.reason.replace(/\.$/, '')}`);
    return own.rule;
  });
}

/** Parses `host=ip:port,host=[ip6]:port`. @throws Error naming the first invalid item. */
function parseHostOverrides(text: string): Readonly<Record<string, HostOverride>> {
  const overrides = commaSeparated(text).map((item): [string, HostOverride] => {
    const match = /^([^=]+)=(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(item);
    if (match === null) throw new Error(`"${item}" is not host=ip:port`);
    const [, name = '', ip6, ip4, port] = match;
    const named = parseHostName(name);
    if (!named.ok) throw new Error(`"${name}": ${named.reason.replace(/\.$/, '')}`);
    const address = ip6 ?? ip4 ?? '';
    if (isIP(address) !== (ip6 === undefined ? 4 : 6)) {
      throw new Error(`"${address}" is not an IP address`);
    }
    if (Number(port) < 1 || Number(port) > 65_535) throw new Error(`${port} is not a port`);
    return [named.host, { address, port: Number(port) }];
  });
  return Object.fromEntries(overrides);
}
