import { timingSafeEqual } from 'node:crypto';

/** Whether two texts are equal; how long it takes does not tell where they differ. Any letters will do. */
export function equalInConstantTime(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
