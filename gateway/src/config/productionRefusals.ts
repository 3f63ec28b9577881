import type { ConfigProblem } from './configError.ts';
import type { JsonFile } from './readJsonFile.ts';
import type { ValuesOf } from './readSettings.ts';
import type { settings } from './settings.ts';

type Values = Partial<ValuesOf<typeof settings>>;

/** Settings that only production needs, each with what to do about it (design section 3). */
const needed = {
  SMTP_URL: 'is not set: without a mail server nobody can verify an address.',
  MONGODB_URI: 'is not set: the embedded database is for trying out; name a replica set.',
  KEY_PEPPERS: 'is not set: generated secrets are for trying out; give a list of your own.',
  MEDIA_SIGNING_KEYS: 'is not set: generated secrets are for trying out; give a list of your own.',
  SESSION_KEYS: 'is not set: generated secrets are for trying out; give a list of your own.',
} as const;

/**
 * Everything that is good enough for trying Framegate out but not for customers.
 * @param wrong Settings that have a problem already; they are not named twice.
 */
export function productionRefusals(
  values: Values,
  routes: JsonFile | null,
  wrong: ReadonlySet<string>,
): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  const refuse = (setting: string, what: string) => {
    if (!wrong.has(setting)) problems.push({ setting, message: `${setting} ${what}` });
  };
  if (values.BASE_URL === null) {
    refuse('BASE_URL', 'is not set: MODE=production needs the public https address of the API.');
  } else if (values.BASE_URL?.startsWith('https:') === false) {
    refuse('BASE_URL', `is "${values.BASE_URL}": MODE=production needs an https address.`);
  }
  if (values.ACCOUNT_URL?.startsWith('https:') === false) {
    refuse('ACCOUNT_URL', `is "${values.ACCOUNT_URL}": MODE=production needs an https address.`);
  }
  const mediaProblem = ownHostProblem(values);
  if (mediaProblem !== null) refuse('MEDIA_URL', mediaProblem);
  if (routes === null) {
    refuse('ROUTES_FILE', `is not set: there are no routes. ${byName}`);
  } else if (!hasRoutes(routes.content)) {
    refuse('ROUTES_FILE', `is "${routes.path}": it has no route for any model. ${byName}`);
  }
  if (values.INPUT_HOST_OVERRIDES) {
    refuse('INPUT_HOST_OVERRIDES', 'is set: it skips the address check of inputs; remove it.');
  }
  for (const [setting, what] of Object.entries(needed)) {
    if (values[setting as keyof typeof needed] === null) refuse(setting, what);
  }
  return problems;
}

/** Finished files come from strangers' prompts: a browser must not take them for pages of the site. */
function ownHostProblem({ MEDIA_URL: media, BASE_URL: base, ACCOUNT_URL: account }: Values) {
  if (media === undefined) return null;
  if (media === null) {
    return 'is not set: finished files need an https address on a host of its own, apart from the site.';
  }
  if (!media.startsWith('https:')) return `is "${media}": MODE=production needs an https address.`;
  const site = [base, account].flatMap((url) => (url ? [new URL(url).hostname] : []));
  const isShared = site.includes(new URL(media).hostname);
  return isShared ? `is "${media}": its host must be another than that of API and site.` : null;
}

const byName =
  'In production the preview renderer works only where a routes file names its kind, preview-renderer.';

/** Whether some model has a route; who checks the file's every word is the routes' own reader. */
function hasRoutes(content: unknown): boolean {
  const models: unknown = isRecord(content) ? content['models'] : undefined;
  return isRecord(models) && Object.values(models).some((list) => [list].flat().length > 0);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
