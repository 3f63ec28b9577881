import type { Order } from '../../test/faults/orders.ts';
import { createPatiently, type History } from '../../test/faults/patientClient.ts';

/**
 * Creates each order through the next process, `atOnce` at a time; requests answered 503 or not at all are repeated.
 */
export async function createAll(
  origins: readonly string[],
  account: History['account'],
  orders: readonly Order[],
  atOnce: number,
): Promise<History[]> {
  const left = [...orders.entries()];
  const histories: History[] = [];
  const runLane = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [number, order] = next;
      const origin = origins[number % origins.length] ?? '';
      histories.push(await createPatiently(() => [origin], account, order));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, runLane));
  return histories;
}
