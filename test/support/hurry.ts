/*
 * For programs that wait at the service's request: its hints are meant for real providers, which take minutes. Timers
 * below a second belong to Node, such as the clock of `fetch`, and are left alone.
 */

/** A script that makes long timers of a program or a page fire fifty times sooner. */
export const hurriedTimers = `
  const usual = setTimeout;
  globalThis.setTimeout = (f, ms, ...more) => usual(f, ms < 1000 ? ms : ms / 50, ...more);`;

/** `hurriedTimers` as a module for `node --import`. */
export const hurry = `data:text/javascript,${encodeURIComponent(hurriedTimers)}`;
