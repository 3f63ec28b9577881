import type { Brand } from '../domain/brand/brand.ts';
import type { JsonFile } from './jsonFile.ts';
import { hasRoutes } from './routesFile.ts';
import { type ConfigProblem, problemWith } from './setting.ts';
import type { SettingValues } from './settings.ts';
import { signInProblems, staffFactorProblems } from './signInProblems.ts';

/** Problems of settings that are valid individually but conflict with each other. */
export function relationProblems(values: Partial<SettingValues>): ConfigProblem[] {
  const problems: ConfigProblem[] = [...signInProblems(values), ...staffFactorProblems(values)];
  const ports = ['PORT', 'METRICS_PORT', 'OPERATOR_PORT'] as const;
  for (const [index, setting] of ports.entries()) {
    const port = values[setting];
    const other = ports.slice(0, index).find((each) => values[each] === port);
    if (typeof port !== 'number' || other === undefined) continue;
    problems.push(problemWith(setting, `is ${port}, the same as ${other}: they must differ.`));
  }
  if (values.MEDIA_STORE === 's3' && values.S3_BUCKET === null) {
    problems.push(problemWith('S3_BUCKET', 'is not set: MEDIA_STORE=s3 requires a bucket.'));
  }
  if (values.MEDIA_DELIVERY === 'accel' && values.MEDIA_STORE === 's3') {
    problems.push(
      problemWith(
        'MEDIA_DELIVERY',
        'is "accel", which requires MEDIA_STORE=disk; for a bucket, use "redirect".',
      ),
    );
  }
  for (const setting of ['MEDIA_REDIRECT_URL', 'MEDIA_REDIRECT_KEY'] as const) {
    if (values.MEDIA_DELIVERY !== 'redirect' || values[setting] !== null) continue;
    problems.push(problemWith(setting, `is not set: MEDIA_DELIVERY=redirect requires it.`));
  }
  if (values.MODELS_FILE && values.PRICES_FILE) {
    problems.push(
      problemWith(
        'PRICES_FILE',
        'and MODELS_FILE are both set: move the prices to MODELS_FILE and unset PRICES_FILE.',
      ),
    );
  }
  const halves = [values.S3_ACCESS_KEY_ID, values.S3_SECRET_ACCESS_KEY];
  if (halves.includes(null) && halves.some((half) => typeof half === 'string')) {
    const missing = halves[0] === null ? 'S3_ACCESS_KEY_ID' : 'S3_SECRET_ACCESS_KEY';
    problems.push(
      problemWith(
        missing,
        `is not set: S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set together.`,
      ),
    );
  }
  return problems;
}

/** Settings that duplicate BRAND_FILE. */
export function brandProblems(
  values: Partial<SettingValues>,
  { support, mail }: Pick<Brand, 'support' | 'mail'>,
): ConfigProblem[] {
  const twice = [
    ['SUPPORT_URL', 'support', support !== null],
    ['MAIL_FROM', 'mail', mail.name !== null || mail.address !== null],
  ] as const;
  return twice.flatMap(([setting, field, isGiven]) => {
    if (!values[setting] || !isGiven) return [];
    const what = `is set in addition to "${field}" of BRAND_FILE: remove one of them.`;
    return [problemWith(setting, what)];
  });
}

/** Settings required only in production, each with its message. */
const needed = {
  SMTP_URL: 'is not set: without a mail server no customer can verify an address.',
  MONGODB_URI: 'is not set: the embedded database is for trials only; name a replica set.',
  KEY_PEPPERS: 'is not set: generated secrets are for trials only; set your own list.',
  MEDIA_SIGNING_KEYS: 'is not set: generated secrets are for trials only; set your own list.',
  SESSION_KEYS: 'is not set: generated secrets are for trials only; set your own list.',
} as const;

/**
 * Problems of settings that suffice for a trial of Framegate but not for customers.
 * @param wrong Settings with a known problem, which are not reported again.
 */
export function productionRefusals(
  values: Partial<SettingValues>,
  routes: JsonFile | null,
  wrong: ReadonlySet<string>,
): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  const addProblem = (setting: string, what: string) => {
    if (!wrong.has(setting)) problems.push(problemWith(setting, what));
  };
  if (values.BASE_URL === null) {
    addProblem(
      'BASE_URL',
      'is not set: MODE=production requires the public https address of the API.',
    );
  }
  for (const setting of ['BASE_URL', 'ACCOUNT_URL', 'CONSOLE_URL'] as const) {
    const url = values[setting];
    if (url?.startsWith('https:') === false) {
      addProblem(setting, `is "${url}": MODE=production requires an https address.`);
    }
  }
  const mediaProblem = ownHostProblem(values);
  if (mediaProblem !== null) addProblem('MEDIA_URL', mediaProblem);
  if (routes === null) {
    addProblem('ROUTES_FILE', `is not set: there are no routes. ${byName}`);
  } else if (!hasRoutes(routes.content)) {
    addProblem('ROUTES_FILE', `is "${routes.path}": it has no route for any model. ${byName}`);
  }
  const proxies = values.TRUST_PROXY;
  if (proxies && 'hops' in proxies && proxies.hops === 0) {
    addProblem(
      'TRUST_PROXY',
      "is 0: TLS ends at a proxy in front, and without this setting every caller appears to have the proxy's address, so limits per address apply to all callers together. List the addresses of your proxies, or set their number.",
    );
  }
  for (const problem of secretProblems(values)) addProblem(...problem);
  if (values.INPUT_HOST_OVERRIDES) {
    addProblem(
      'INPUT_HOST_OVERRIDES',
      'is set, which disables the address check of inputs; remove it.',
    );
  }
  for (const [setting, what] of Object.entries(needed)) {
    if (values[setting as keyof typeof needed] === null) addProblem(setting, what);
  }
  return problems;
}

/** Secrets shared by two lists, and secrets that look handmade or copied from an example. */
function secretProblems(values: Partial<SettingValues>): [string, string][] {
  const lists = ['KEY_PEPPERS', 'MEDIA_SIGNING_KEYS', 'SESSION_KEYS'] as const;
  const users = new Map<string, string>();
  const problems: [string, string][] = [];
  for (const list of lists) {
    for (const { version, secret } of values[list] ?? []) {
      const other = users.get(secret);
      if (other !== undefined && other !== list) {
        problems.push([list, `has a secret of ${other}: each list needs its own secrets.`]);
      } else if (isWeak(secret)) {
        problems.push([
          list,
          `has a guessable secret (version ${version}): generate one with "openssl rand -base64 48".`,
        ]);
      }
      users.set(secret, list);
    }
  }
  return problems;
}

/** Minimum distinct characters of a random secret of 32 or more. */
const minCharacters = 10;
const isWeak = (secret: string) =>
  new Set(secret).size < minCharacters ||
  /change.?me|example|placeholder|secret|password/i.test(secret);

/**
 * Requires a separate host: finished files come from strangers' prompts, and a browser must not take them for pages of
 * the site.
 */
function ownHostProblem({
  MEDIA_URL: media,
  BASE_URL: base,
  ACCOUNT_URL: account,
  CONSOLE_URL: console,
}: Partial<SettingValues>) {
  if (media === undefined) return null;
  if (media === null) {
    return 'is not set: finished files need an https address on a different host from the site.';
  }
  if (!media.startsWith('https:')) {
    return `is "${media}": MODE=production requires an https address.`;
  }
  const site = [base, account, console].flatMap((url) => (url ? [new URL(url).hostname] : []));
  const isShared = site.includes(new URL(media).hostname);
  return isShared ? `is "${media}": it needs a different host from the API and the site.` : null;
}

const byName =
  'In production the preview renderer works only where a routes file names its kind, preview-renderer.';
