import { setTimeout as pause } from 'node:timers/promises';
import { minuteMs } from '@framegate/contract';
import { createVisitor } from '../site/support/visitor.ts';
import { until } from '../support/until.ts';
import type { ProductWorld } from './productWorld.ts';

/** An order of a video, as its customer saw it. */
export interface Order {
  email: string;
  prompt: string;
  /** `accepted`, or `unpaid` where too few credits were left. */
  outcome: 'accepted' | 'unpaid';
}

/** A customer with a browser, who always retries. */
export interface Shopper {
  email: string;
  signIn(): Promise<void>;
  /** Buys a pack of credits. @returns The URL of the checkout. */
  choose(pack: string): Promise<string>;
  /** Buys a pack of credits and pays. */
  buy(pack: string): Promise<void>;
  /** Orders a video by the form of the page. @param clicks How often the button is pressed at once. */
  order(prompt: string, clicks: number): Promise<Order>;
  /**
   * Follows the product's link to the gateway's site.
   * @returns The page that opens, and the account page there.
   */
  openSettings(): Promise<{ path: string; account: string }>;
  /** The product's page. */
  page(): Promise<string>;
}

const patienceMs = minuteMs;
const pauseMs = 50;
const responseMs = 30_000;

export function createShopper(
  world: Pick<ProductWorld, 'shopUrl' | 'printed'>,
  email: string,
): Shopper {
  const cookies = new Map<string, string>();

  async function send(url: string, form?: Record<string, string>): Promise<Response> {
    const response = await fetch(new URL(url, world.shopUrl), {
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      redirect: 'manual',
      signal: AbortSignal.timeout(responseMs),
    });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    return response;
  }

  /** Repeats until the response has one of these statuses. */
  async function sendPatiently(
    right: readonly number[],
    url: string,
    form?: Record<string, string>,
  ): Promise<ApiResponse> {
    return patiently(async () => {
      const response = await send(url, form);
      const text = await response.text();
      const { status, headers } = response;
      if (right.includes(status)) return { status, text, to: headers.get('location') ?? '' };
      throw new Error(`${url} answered ${status}: ${text}`);
    });
  }

  const choose = async (pack: string) => (await sendPatiently([303], '/buy', { pack })).to;
  const page = async () => (await sendPatiently([200], '/')).text;
  return {
    email,
    page,
    signIn: () =>
      patiently(async () => {
        await sendPatiently([200], '/sign-in', { email });
        await until(() => mailTo(email, world.printed()) !== null, 'the link is printed', 2_000);
        await sendPatiently([303], mailTo(email, world.printed()) ?? '');
      }),
    choose,
    async buy(pack) {
      const to = await choose(pack);
      await patiently(async () => {
        const response = await fetch(to);
        await response.arrayBuffer();
        if (!response.ok) throw new Error(`the checkout answered ${response.status}`);
      });
    },
    async order(prompt, clicks) {
      const order = /name="order" value="([^"]+)"/.exec(await page())?.[1] ?? '';
      const press = () => sendPatiently([303, 402], '/videos', { prompt, order });
      const responses = await Promise.all(Array.from({ length: clicks }, press));
      const isAccepted = responses.some(({ status }) => status === 303);
      return { email, prompt, outcome: isAccepted ? 'accepted' : 'unpaid' };
    },
    openSettings: () =>
      patiently(async () => {
        const { to } = await sendPatiently([303], '/api-settings', {});
        const { origin, pathname, search, searchParams } = new URL(to);
        const browser = createVisitor(origin);
        await browser.get(pathname + search);
        const token = searchParams.get('token') ?? '';
        const { status, path } = await browser.post('/sign-in/link', { token });
        if (status !== 200) throw new Error(`the site answered ${status} at ${path}`);
        return { path, account: (await browser.get('/settings/account')).text };
      }),
  };
}

interface ApiResponse {
  status: number;
  text: string;
  to: string;
}

/** @throws The last error after the maximum time. */
async function patiently<T>(act: () => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + patienceMs;
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (performance.now() > giveUpAt) throw error;
      await pause(pauseMs);
    }
  }
}

/** Path of the last link that was mailed to an address. */
function mailTo(email: string, printed: string): string | null {
  const found = printed.split('\n').findLast((text) => text.startsWith(`Mail to ${email}: `));
  const url = found?.split(': ')[1];
  return url === undefined ? null : url.slice(new URL(url).origin.length);
}
