import type { Locator, Page } from 'playwright-core';
import type { House, Who } from '../support/furnish.ts';

/** A purpose of a visit, from the first page to its result. */
export interface Task {
  name: string;
  /** The window in which it is done; one is signed out and without JavaScript. */
  as: Who | 'withoutScript';
  /** Page on which the task begins. */
  start: string | ((house: House) => string | Promise<string>);
  /** Maximum clicks and submitting keys; typing and Tab do not count. */
  max: number;
  /** Pixels by which the page may be scrolled for the clicks, in a window of 1,280 x 860; none if absent. */
  scrolls?: number;
  /** Performs it, and asserts the final view. */
  run: (hand: Hand, house: House) => Promise<void>;
}

/** Acts on a page like a person, and counts clicks. */
export interface Hand {
  page: Page;
  /** Clicks so far, including submitting keys; typing and Tab do not count. */
  count: () => number;
  /** How far the page had to be scrolled for the clicks so far, in pixels. */
  scrolled: () => number;
  click: (what: Locator) => Promise<void>;
  /** Chooses a radio button or a box. */
  check: (what: Locator) => Promise<void>;
  /** Chooses from a list. */
  select: (what: Locator, value: string) => Promise<void>;
  /** Chooses a file of the person's own. */
  chooseFile: (what: Locator, file: Parameters<Locator['setInputFiles']>[0]) => Promise<void>;
  /** Presses the play button, which is the browser's own: no locator finds it. */
  play: (video: Locator) => Promise<void>;
  /** Replaces the text of a field. */
  type: (label: string, text: string) => Promise<void>;
  /** Presses Enter. */
  enter: () => Promise<void>;
  /** Moves on by Tab to the element with this id. @throws Error when Tab does not lead there. */
  tabTo: (id: string) => Promise<void>;
}

/** A hand on a page that has clicked nothing yet. */
export function createHand(page: Page): Hand {
  let clicks = 0;
  let scrolled = 0;
  const on = async (what: Locator, act: () => Promise<unknown>): Promise<void> => {
    clicks += 1;
    scrolled += await what.evaluate(distanceFromView);
    await act();
  };
  return {
    page,
    count: () => clicks,
    scrolled: () => Math.round(scrolled),
    click: (what) => on(what, () => what.click()),
    // Not `check`, which looks at it afterwards: pages replace the chosen element.
    check: (what) => on(what, () => what.click()),
    select: (what, value) => on(what, () => what.selectOption(value)),
    chooseFile: (what, file) => on(what, () => what.setInputFiles(file)),
    play: (video) => on(video, () => video.evaluate((element: HTMLVideoElement) => element.play())),
    type: (label, text) => page.getByLabel(label, { exact: true }).fill(text),
    enter() {
      clicks += 1;
      return page.keyboard.press('Enter');
    },
    async tabTo(id) {
      for (let tabs = 0; tabs < 60; tabs += 1) {
        if ((await page.evaluate(() => document.activeElement?.id)) === id) return;
        await page.keyboard.press('Tab');
      }
      throw new Error(`Tab does not lead to #${id}.`);
    },
  };
}

/** How far a page has to be scrolled until the whole element is in the window, in pixels. */
export function distanceFromView(element: Element): number {
  const { top, bottom } = element.getBoundingClientRect();
  if (top < 0) return -top;
  return Math.max(0, Math.min(bottom - window.innerHeight, top));
}

/** A button of the page by its text. */
export const button = ({ page }: Hand, name: string | RegExp): Locator =>
  page.getByRole('button', { name });

/** A link of the page by its text. */
export const link = ({ page }: Hand, name: string, exact = true): Locator =>
  page.getByRole('link', { name, exact });
