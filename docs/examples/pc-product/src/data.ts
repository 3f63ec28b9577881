import { type Collection, MongoClient } from 'mongodb';
import type { LedgerEntry } from '@framegate/operator';

/** A customer of the shop. Its id is the `external_id` of the account at the gateway. */
export interface Customer {
  _id: string;
  email: string;
  accountId?: string;
}

/**
 * Facts about a payment. Events of the payment provider only add facts and never remove any, so their order and number
 * do not matter.
 */
export interface Payment {
  _id: string;
  paid?: boolean;
  customerId?: string;
  credits?: number;
  refunded?: boolean;
  disputed?: boolean;
  /** Ledger entry of the grant. */
  grantEntry?: string;
  /** Credits that are being taken back, if the customer has spent some of the bought ones. */
  toTake?: number;
  /** Credits that were taken back; set when done. */
  taken?: number;
  /** When an attempt failed. */
  triedAt?: Date;
}

/** A message to a customer about how a video ended. Its id is that of the gateway's event. */
export interface Notice {
  _id: string;
  accountId: string;
  generationId: string;
  /** Position of the event in its feed. */
  position: number;
  text: string;
}

/** The product's own database, separate from the gateway's. */
export interface Data {
  customers: Collection<Customer>;
  payments: Collection<Payment>;
  /** A copy of the gateway's ledger, under the entries' ids. */
  books: Collection<LedgerEntry & { _id: string }>;
  notices: Collection<Notice>;
  /** Positions in the feeds. */
  cursors: Collection<{ _id: string; next: string }>;
  close(): Promise<void>;
}

/** Connects to the database and creates the indexes. */
export async function openData(uri: string): Promise<Data> {
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 5_000, timeoutMS: 10_000 });
  const database = client.db();
  const data: Data = {
    customers: database.collection('customers'),
    payments: database.collection('payments'),
    books: database.collection('books'),
    notices: database.collection('notices'),
    cursors: database.collection('cursors'),
    close: () => client.close(),
  };
  await data.customers.createIndexes([{ key: { email: 1 }, unique: true }]);
  await data.payments.createIndexes([
    { key: { grantEntry: 1, paid: 1 } },
    { key: { taken: 1, refunded: 1 } },
    { key: { taken: 1, disputed: 1 } },
  ]);
  await data.books.createIndexes([
    { key: { account_id: 1 } },
    { key: { reference: 1 } },
    { key: { position: 1 } },
  ]);
  await data.notices.createIndexes([{ key: { accountId: 1, _id: -1 } }, { key: { position: 1 } }]);
  return data;
}
