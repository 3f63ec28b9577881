import { parse } from 'tldts';
import { badHost, type ParsedHostRule } from './inputUrl.ts';

/** Stores with customers' buckets below these names that the public-suffix list lacks. */
const sharedStores = [
  'storage.googleapis.com',
  'r2.cloudflarestorage.com',
  'backblazeb2.com',
  'wasabisys.com',
  'aliyuncs.com',
  'myqcloud.com',
];

/** Labels below which the list has suffixes of stores: the list can be queried for a name but not searched. */
const probes = ['a', 's3', 'blob', 'blob.core', 'storage', 'cdn'];

/**
 * The kind of owner who gives strangers names below this one, a public suffix (publicsuffix.org) or above one; null for
 * none.
 */
function sharedBy(name: string): 'registry' | 'store' | null {
  const { publicSuffix, isIcann, isPrivate } = parse(name, { allowPrivateDomains: true });
  if (publicSuffix === name) return isIcann === true || isPrivate !== true ? 'registry' : 'store';
  if (sharedStores.some((store) => store === name || store.endsWith(`.${name}`))) return 'store';
  const below = probes.some((probe) => {
    const suffix = parse(`${probe}.${name}`, { allowPrivateDomains: true }).publicSuffix;
    return suffix !== null && suffix.endsWith(`.${name}`);
  });
  return below ? 'store' : null;
}

/**
 * Refuses a wildcard that would cover other people's hosts: always below a registry's suffix such as `co.uk`; below a
 * store's suffix such as `s3.amazonaws.com` unless the operator lists exactly this rule.
 * @param rule As returned by `parseHostRule`.
 * @param operatorRules The rules that the operator lists.
 */
export function checkSharedSuffix(rule: string, operatorRules: readonly string[]): ParsedHostRule {
  const shared = rule.startsWith('*.') ? sharedBy(rule.slice(2)) : null;
  if (shared === null || (shared === 'store' && operatorRules.includes(rule))) {
    return { ok: true, rule };
  }
  return badHost(shared);
}
