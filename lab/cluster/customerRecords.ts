/** The URLs that customers use. */
export interface ApiAccess {
  baseUrl: string;
  apiKey: string;
}

/** Commands to customers: orders and reads at a pace until they are stopped, or one download. */
export type CustomerTask = ApiAccess &
  ({ perSecond: { creates: number; reads: number } } | { id: string });

/** One request, including a repeated one. Times in ms, `at` since the epoch. */
export interface Request {
  what: 'create' | 'read' | 'download';
  at: number;
  /** Time until the response arrived; for a file, until its beginning. */
  tookMs: number;
  /** Status and code where it was answered 429 or 503 with Retry-After. */
  told: string | null;
  /** Other failures, in words. */
  error: string | null;
}

/** One order, from its create to its downloaded file. */
export interface Customer {
  prompt: string;
  isVideo: boolean;
  /** When the 202 came, in ms since the epoch. */
  acceptedAt: number | null;
  id: string | null;
  /** `completed`, or the client's error code. */
  end: string;
  /** Size of the downloaded file. */
  bytes: number;
}

/** Final report of customers; of the one download its bytes. */
export interface CustomerReport {
  requests: Request[];
  customers: Customer[];
}
