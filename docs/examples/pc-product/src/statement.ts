/**
 * `node src/statement.ts`: compares the books with the payments and with the balances at the gateway. Exits with status
 * 1 if they differ.
 */
import { FramegateOperator } from '@framegate/operator';
import { type Data, openData } from './data.ts';
import { grantReference, takeBackReference } from './settle.ts';

const data = await openData(process.env['MONGODB_URI'] ?? '');
const problems: string[] = [];
const totals = { grant: 0, charge: 0, refund: 0, adjustment: 0, expiry: 0 };
await comparePayments(data);
await compareBalances(data, new FramegateOperator());
await data.close();
console.log(JSON.stringify({ ...totals, problems }, null, 2));
process.exitCode = problems.length === 0 ? 0 : 1;

/** Each payment was granted once, and taken back once if it was refunded or disputed. */
async function comparePayments({ payments, books }: Data): Promise<void> {
  for await (const { _id: id, paid, credits, refunded, disputed, taken } of payments.find()) {
    const amounts = async (reference: string) =>
      (await books.find({ reference }).toArray()).map(({ amount }) => amount);
    const booked = [await amounts(grantReference(id)), await amounts(takeBackReference(id))];
    const expected = [[credits], taken ? [-taken] : []];
    const isSettled = paid && (taken !== undefined) === Boolean(refunded ?? disputed);
    if (!isSettled || JSON.stringify(booked) !== JSON.stringify(expected)) {
      problems.push(`payment ${id}: booked ${JSON.stringify(booked)}`);
    }
  }
}

/** The entries of each account add up to its balance. Only meaningful when nothing is in progress. */
async function compareBalances({ customers, books }: Data, operator: FramegateOperator) {
  for await (const { _id: id, accountId } of customers.find()) {
    if (accountId === undefined) continue;
    let balance = 0;
    for await (const { kind, amount } of books.find({ account_id: accountId })) {
      totals[kind] += amount;
      balance += amount;
    }
    const { available } = await operator.getCredits(accountId);
    if (available !== balance) problems.push(`customer ${id}: ${balance}, and ${available} there`);
  }
}
