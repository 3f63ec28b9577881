import type { KindOfWork, Slots } from '@framegate/limits';

/** Work of each kind that may wait in one process, in total. */
const maxWaiting = 1_000;

/** An API request: it comes before the pages. */
const first = { rank: 0, minGapMs: 0, maxWaiting };
/**
 * A page, or a call of another program: while the API is in use, one of a kind runs at a time, so that an API request
 * waits for one of them on the thread and not for several. While that one waits itself, the next begins after 25 ms.
 */
const second = { rank: 1, minGapMs: 25, followsAtOnce: true, maxWaiting };
/** Reads many documents: while anything else is under way, ten of a kind begin in a second. */
const third = { rank: 2, minGapMs: 100, maxWaiting };
/** Mostly waits, for a client or for an event, and takes nothing from others in the meantime. */
const idle = { rank: 3, minGapMs: 0, maxWaiting };

/**
 * Kinds of simultaneous work, with their slots in one process. A caller is an account (on the site the person, in the
 * console the staff member), an operator key, or an address without a sign-in: an IPv6 /64, with ten times as many
 * for its /48. `maxWaitMs` is the longest wait for a slot, in ms, and `maxWaitingPerCaller` the number that wait per
 * caller; beyond them the response is 503 with Retry-After.
 */
export const workKinds = {
  /** Creates, reads and lists of the API: as many as a busy account has, and the group commit fills. */
  api: { ...first, maxPerCaller: 100, maxInAll: 400, maxWaitingPerCaller: 400, maxWaitMs: 10_000 },
  /** Pages for signed-in people: a page takes the thread and the database for some ms each. */
  page: { ...second, maxPerCaller: 2, maxInAll: 4, maxWaitingPerCaller: 50, maxWaitMs: 5_000 },
  /** Pages for visitors, and sign-ins, which compute password hashes. */
  visit: { ...second, maxPerCaller: 4, maxInAll: 8, maxWaitingPerCaller: 50, maxWaitMs: 5_000 },
  /** Forms of the studio: they may fetch a preview for half a minute, or take a frame out of a video. */
  order: { ...second, maxPerCaller: 4, maxInAll: 40, maxWaitingPerCaller: 20, maxWaitMs: 10_000 },
  /** Pages of the console. */
  console: { ...second, maxPerCaller: 2, maxInAll: 4, maxWaitingPerCaller: 50, maxWaitMs: 10_000 },
  /** Messages of the Model Context Protocol. */
  mcp: { ...second, maxPerCaller: 10, maxInAll: 20, maxWaitingPerCaller: 200, maxWaitMs: 10_000 },
  /** Calls of the operator API. */
  operator: {
    ...second,
    maxPerCaller: 10,
    maxInAll: 20,
    maxWaitingPerCaller: 200,
    maxWaitMs: 10_000,
  },
  /** Searches and filtered lists, whose matches may be few among thousands. */
  search: { ...third, maxPerCaller: 1, maxInAll: 2, maxWaitingPerCaller: 5, maxWaitMs: 5_000 },
  /** Reports of the operator API: each reads all generations of its days. */
  report: { ...third, maxPerCaller: 2, maxInAll: 2, maxWaitingPerCaller: 20, maxWaitMs: 5_000 },
  /**
   * Archives and tables that are sent while they are read. A second one waits for the first of its caller, or until the
   * server has closed that for its slow reader, which takes 15 s.
   */
  export: { ...idle, maxPerCaller: 1, maxInAll: 50, maxWaitingPerCaller: 1, maxWaitMs: 20_000 },
  /** Files that are sent; by address. */
  download: {
    ...idle,
    maxPerCaller: 50,
    maxInAll: 5_000,
    maxWaitingPerCaller: 50,
    maxWaitMs: 1_000,
  },
  /** Operator calls that wait for the next event; further ones are answered immediately. */
  eventWait: { ...idle, maxPerCaller: 20, maxInAll: 100, maxWaitingPerCaller: 0, maxWaitMs: 0 },
  /** Calls of `wait_for_generation`; further ones are answered immediately. */
  toolWait: { ...idle, maxPerCaller: 10, maxInAll: 1_000, maxWaitingPerCaller: 0, maxWaitMs: 0 },
  /** Generations whose inputs a worker copies: half of those that it starts in parallel; others try again later. */
  inputs: { ...idle, maxPerCaller: 4, maxInAll: 25, maxWaitingPerCaller: 0, maxWaitMs: 0 },
} satisfies Readonly<Record<string, KindOfWork>>;

/** A kind of work, by its name. */
export type WorkKind = keyof typeof workKinds;

/** The slots of this process. */
export type WorkSlots = Slots<WorkKind>;
