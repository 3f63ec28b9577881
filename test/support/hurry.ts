/*
 * For programs that wait as the service tells them: its hints are meant for real providers, which take
 * minutes. Timers below a second are Node's own, such as the clock of `fetch`, and are left alone.
 */

/** A script that makes long timers of a program or a page ring fifty times sooner. */
export const hurriedTimers = `
  const usual = setTimeout;
  globalThis.setTimeout = (f, ms, ...more) => usual(f, ms < 1000 ? ms : ms / 50, ...more);`;

/** The same as a module for `node --import`. */
export const hurry = `data:text/javascript,${encodeURIComponent(hurriedTimers)}`;
