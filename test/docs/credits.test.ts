import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { catalogue, priceCredits, pricingOf } from '@framegate/contract';
import {
  type Lot,
  lotKinds,
  refundCredits,
  takeCredits,
} from '../../gateway/src/domain/credits/credits.ts';
import { projectRoot } from '../support/runNode.ts';

const page = readFileSync(join(projectRoot, 'docs/credits.md'), 'utf8');

/** The cells of a table's rows below its head; the table is known by its first heading. */
function rowsOf(heading: string): string[][] {
  const [, ...lines] = page.slice(page.indexOf(`| ${heading} `)).split('\n');
  const end = lines.findIndex((line) => !line.startsWith('|'));
  return lines.slice(1, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

describe('docs/credits.md', () => {
  test('calculates the price as the gateway does', () => {
    const model = catalogue.find(({ id }) => id === 'alpha-2.0-fast');
    if (!model) throw new Error('no such model');
    const price = (generate_audio: boolean) =>
      priceCredits(pricingOf(model), {
        duration_seconds: 5,
        resolution: '720p',
        generate_audio,
      });
    expect(page).toContain(`are 5 × 10 = ${price(false)} credits`);
    expect(page).toContain(`with audio 5 × 10 × 5/4 = 62.5, so ${price(true)}.`);
  });

  test('moves the credits of its example as the gateway does', () => {
    const day = (number: number) => Date.UTC(2027, 0, number);
    const rows = rowsOf('lot');
    const told = rows.map(([name = '', kind, expires = '', ...amounts]) => ({
      id: name.replaceAll('`', ''),
      kind: lotKinds.find((each) => each === kind) ?? 'purchased',
      expiresAt: expires === 'never' ? null : day(Number.parseInt(expires.replace('the ', ''), 10)),
      amounts: amounts.map((amount) => Number.parseInt(amount, 10)),
    }));
    const lots = told.slice(0, 3).map(({ id, kind, expiresAt, amounts: [remaining = 0] }): Lot => ({
      id,
      kind,
      expiresAt,
      amount: remaining,
      remaining,
      createdAt: 0,
    }));
    const charge = takeCredits(lots, 70, day(10));
    const after = charge?.lots.map(({ remaining }) => remaining);
    expect(after).toEqual(told.slice(0, 3).map(({ amounts: [, charged] }) => charged));
    const refund = refundCredits(charge?.lots ?? [], charge?.movements ?? [], day(20), () => 'new');
    expect(refund.lots.map(({ kind, remaining }) => [kind, remaining])).toEqual(
      told.map(({ kind, amounts: [, , refunded] }) => [kind, refunded]),
    );
    expect(refund.lots.at(-1)?.expiresAt).toBe(day(20 + 30));
    expect(rows.at(-1)?.[2]).toBe('30 days on');
  });
});
