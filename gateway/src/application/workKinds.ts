import type { KindOfWork, Slots } from '@framegate/limits';

/** Work of each kind that may wait in one process, in all. */
const maxWaiting = 1_000;

/** An API request: it comes before the pages. */
const first = { rank: 0, gapMs: 0, maxWaiting };
/** A page, or a call of another program: while API requests are under way, 40 of a kind begin in a second. */
const second = { rank: 1, gapMs: 25, maxWaiting };
/** Reads many documents: while anything else is under way, ten of a kind begin in a second. */
const third = { rank: 2, gapMs: 100, maxWaiting };
/** Mostly waits, for a client or for an event, and takes nothing from others meanwhile. */
const idle = { rank: 3, gapMs: 0, maxWaiting };

/**
 * All kinds of work at once, with their slots in one process. A caller is an account (on the site the person, in the
 * console the member of staff), an operator key, or an address without a sign-in: an IPv6 /64, with ten times as many
 * for its /48. `waitMs` is the longest wait for a slot, in ms, and `mayWait` the number that wait per caller; beyond
 * them the answer is 503 with Retry-After.
 */
export const workKinds = {
  /** Creates, reads and lists of the API: as many as a busy account has, and the group commit fills. */
  api: { ...first, perCaller: 100, inAll: 400, mayWait: 400, waitMs: 10_000 },
  /** Pages of people who are signed in: a page takes the thread and the database for some ms each. */
  page: { ...second, perCaller: 2, inAll: 4, mayWait: 50, waitMs: 5_000 },
  /** Pages without a sign-in, and sign-ins, which compute password hashes. */
  visit: { ...second, perCaller: 4, inAll: 8, mayWait: 50, waitMs: 5_000 },
  /** Forms of the studio: they may fetch a preview for half a minute, or take a frame out of a video. */
  order: { ...second, perCaller: 4, inAll: 40, mayWait: 20, waitMs: 10_000 },
  /** Pages of the console. */
  console: { ...second, perCaller: 2, inAll: 4, mayWait: 50, waitMs: 10_000 },
  /** Messages of the Model Context Protocol. */
  mcp: { ...second, perCaller: 10, inAll: 20, mayWait: 200, waitMs: 10_000 },
  /** Calls of the operator API. */
  operator: { ...second, perCaller: 10, inAll: 20, mayWait: 200, waitMs: 10_000 },
  /** Searches and filtered lists, whose matches may be few among thousands. */
  search: { ...third, perCaller: 1, inAll: 2, mayWait: 5, waitMs: 5_000 },
  /** Reports of the operator API: each reads all generations of its days. */
  report: { ...third, perCaller: 2, inAll: 2, mayWait: 20, waitMs: 5_000 },
  /**
   * Archives and tables that are sent while they are read. A second one waits for the first of its caller, or until the
   * server has closed that for its slow reader, which takes 15 s.
   */
  export: { ...idle, perCaller: 1, inAll: 50, mayWait: 1, waitMs: 20_000 },
  /** Files that are sent; by address. */
  download: { ...idle, perCaller: 50, inAll: 5_000, mayWait: 50, waitMs: 1_000 },
  /** Operator calls that wait for the next event; further ones are answered at once. */
  eventWait: { ...idle, perCaller: 20, inAll: 100, mayWait: 0, waitMs: 0 },
  /** Calls of `wait_for_generation`; further ones are answered at once. */
  toolWait: { ...idle, perCaller: 10, inAll: 1_000, mayWait: 0, waitMs: 0 },
  /** Generations whose inputs a worker copies: half of those that it starts in parallel; others try again later. */
  inputs: { ...idle, perCaller: 4, inAll: 25, mayWait: 0, waitMs: 0 },
} satisfies Readonly<Record<string, KindOfWork>>;

/** A kind of work, by its name. */
export type WorkKind = keyof typeof workKinds;

/** The slots of this process. */
export type WorkSlots = Slots<WorkKind>;
