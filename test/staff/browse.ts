import { randomUUID } from 'node:crypto';
import { generateSync } from 'otplib';
import { createPasskeyStore } from '../../gateway/src/adapters/mongo/signIn/factorStores.ts';
import { createAccount } from '../../gateway/src/application/accounts/createAccount.ts';
import { openEnrolmentLink } from '../../gateway/src/compose/staff.ts';
import { loadConfig } from '../../gateway/src/config.ts';
import type { StaffRole } from '../../gateway/src/domain/staff/staffRights.ts';
import { askedIn, type Authenticator, makeAuthenticator } from '../support/authenticator.ts';
import type { TestGateway } from '../support/gateway.ts';
import { quickPasswords } from '../support/quickPasswords.ts';

/** A page as received by a browser. */
export interface Page {
  status: number;
  headers: Headers;
  html: string;
  location: string | null;
}

/** A browser without JavaScript: cookies, forms, one page at a time. */
export interface Browser {
  cookies: Map<string, string>;
  /** The passkey used for forms that require one. */
  passkey: Authenticator | null;
  get(path: string): Promise<Page>;
  /** Sends a form with the token of the page that was loaded last. Pairs may repeat a name. */
  send(
    path: string,
    fields: Record<string, string> | readonly [string, string][],
    headers?: Record<string, string>,
  ): Promise<Page>;
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

/** Opens a browser. @param always Headers of each request, such as those that a proxy adds. */
export function openBrowser(origin: string, always: Record<string, string> = {}): Browser {
  const cookies = new Map<string, string>();
  let token = '';
  let formId = '';
  /** The passkey options of forms, by their path, without duplicates. */
  const asked: ReturnType<typeof askedIn> = new Map();
  async function load(path: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const own = { cookie, 'sec-fetch-site': 'same-origin' };
    const headers = { ...always, ...own, ...(init.headers as object) };
    const response = await fetch(origin + path, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /expires=Thu, 01 Jan 1970/i.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  }
  async function page(response: Response): Promise<Page> {
    const html = await response.text();
    token = /name="form_token" value="([^"]+)"/.exec(html)?.[1] ?? token;
    formId = /name="form_id" value="([^"]+)"/.exec(html)?.[1] ?? '';
    for (const [form, each] of askedIn(html)) asked.set(form, each);
    const { status, headers } = response;
    return { status, headers, html, location: headers.get('location') };
  }
  const browser: Browser = {
    cookies,
    passkey: null,
    get: async (path) => page(await load(path)),
    async send(path, fields, headers = {}) {
      const given: readonly [string, string][] =
        fields instanceof Array ? fields : Object.entries(fields);
      const names = new Set(given.map(([name]) => name));
      // A form must be sent from its page.
      const itsPage = pageOf(path);
      if (browser.passkey && !asked.has(path) && itsPage !== null) await browser.get(itsPage);
      const wanted = asked.get(path);
      asked.delete(path);
      const known = {
        form_token: token,
        ...(formId !== '' && { form_id: formId }),
        ...(wanted?.ask === 'get' &&
          browser.passkey &&
          !names.has('code') && { passkey: browser.passkey.use(wanted.asked, origin) }),
      };
      const added = Object.entries(known).filter(([name]) => !names.has(name));
      const body = new URLSearchParams([...added, ...given]);
      return page(await load(path, { method: 'POST', body, headers }));
    },
    fetch: load,
  };
  return browser;
}

/** The page with the form of an act. */
function pageOf(path: string): string | null {
  if (path.startsWith('/staff/proposals/')) return '/staff/proposals';
  const isAct = /^\/staff\/(accounts|generations)\/[^/]+\/(?!reveal|refused)[a-z-]+$/;
  return isAct.test(path) ? path : null;
}

/** Gives a staff member a passkey, without its page. */
export async function givePasskey(
  { models }: Pick<TestGateway, 'models'>,
  accountId: string,
): Promise<Authenticator> {
  const passkey = makeAuthenticator();
  const { id, publicKey } = passkey;
  await createPasskeyStore(models).insert({
    id,
    publicKey,
    accountId,
    name: 'test',
    counter: 0,
    createdAt: Date.now(),
    lastUsedAt: null,
  });
  return passkey;
}

/** A gateway in whose console staff enrol. */
type StaffHome = Pick<TestGateway, 'database' | 'clock' | 'models' | 'random' | 'env'>;

/** Makes a staff member who has an enrolment link. */
export async function addStaff(
  { database, clock, models, random, env }: StaffHome,
  role: StaffRole | null,
  email = `${randomUUID()}@framegate.example`,
): Promise<{ accountId: string; email: string; password: string; link: () => Promise<string> }> {
  const password = randomUUID();
  const { id: accountId } = await createAccount(
    { database, clock, random, passwords: quickPasswords },
    { email, password, isVerified: true, staffRole: role },
  );
  const parts = { config: loadConfig(env), database, clock, models, random };
  const link = async () => {
    const url = await openEnrolmentLink(parts, { accountId, setsPassword: false });
    const { pathname, hash } = new URL(url);
    return pathname + hash;
  };
  return { accountId, email, password, link };
}

/** Opens an enrolment link like the page's script, which sends the part after # in a form. */
export async function openLink(browser: Browser, link: string): Promise<Page> {
  const [path = '', token = ''] = link.split('#');
  await browser.get(path);
  return browser.send(path, { token });
}

/** Sends the form of the page behind an enrolment link, after `openLink`. */
export function sendEnrolment(
  browser: Browser,
  link: string,
  fields: { password: string; code: string },
): Promise<Page> {
  const [path = '', token = ''] = link.split('#');
  return browser.send(path, { token, ...fields });
}

/** The code of an app that was given this secret. @param steps How many steps of 30 s later. */
export function codeOf(secret: string, steps = 0): string {
  const epoch = Math.floor(Date.now() / 1000) + 30 * steps;
  return generateSync({ secret, epoch });
}

/** Enrols a new staff member, by an app and a passkey; the browser is signed in afterwards. */
export async function enrolStaff(
  gateway: StaffHome & Pick<TestGateway, 'origin'>,
  role: StaffRole,
): Promise<{
  browser: Browser;
  accountId: string;
  email: string;
  password: string;
  secret: string;
  usedCode: string;
}> {
  const { accountId, email, password, link } = await addStaff(gateway, role);
  const browser = openBrowser(gateway.origin);
  const opened = await link();
  const { html } = await openLink(browser, opened);
  const secret = (/id="secret">([^<]+)</.exec(html)?.[1] ?? '').replaceAll(' ', '');
  const usedCode = codeOf(secret);
  const { status, location } = await sendEnrolment(browser, opened, { password, code: usedCode });
  if (status !== 303 || location !== '/staff') throw new Error(`enrolling answered ${status}`);
  browser.passkey = await givePasskey(gateway, accountId);
  return { browser, accountId, email, password, secret, usedCode };
}
