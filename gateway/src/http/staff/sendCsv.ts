import { Readable } from 'node:stream';
import { yieldInPieces } from '@framegate/limits';
import type { StaffContext } from './context.ts';

/**
 * Sends a CSV file. Each piece is made once the client has received the one before, after other waiting requests.
 * @param name The file's name, between the brand and `.csv`.
 */
export function sendCsv(
  ctx: StaffContext,
  name: string,
  parts: Iterable<string> | AsyncIterable<string>,
): void {
  ctx.set('Content-Type', 'text/csv; charset=utf-8');
  ctx.set('Content-Disposition', `attachment; filename="${ctx.state.brand.slug}-${name}.csv"`);
  ctx.body = Readable.from(yieldInPieces(parts), { highWaterMark: 1 });
}
