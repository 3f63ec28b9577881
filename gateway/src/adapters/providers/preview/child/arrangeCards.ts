/** A rectangle, pixels. */
export type Box = {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
};

/**
 * Places pictures of given ratios (width / height) in rows in a box, in their order, in the number of
 * rows that shows them largest, each row centred.
 */
export function arrangeCards(ratios: readonly number[], box: Box, gap: number): Box[] {
  let best: { rows: number[][]; height: number } = { rows: [], height: 0 };
  for (let count = 1; count <= ratios.length; count += 1) {
    const rows = splitEvenly(ratios, count);
    const perRow = (box.height - gap * (count - 1)) / count;
    const height = Math.min(
      perRow,
      ...rows.map((row) => (box.width - gap * (row.length - 1)) / sum(row)),
    );
    if (height > best.height) best = { rows, height };
  }
  const { rows, height } = best;
  const used = rows.length * height + gap * (rows.length - 1);
  return rows.flatMap((row, rowIndex) => {
    let x = box.x + (box.width - sum(row) * height - gap * (row.length - 1)) / 2;
    const y = box.y + (box.height - used) / 2 + rowIndex * (height + gap);
    return row.map((ratio) => {
      const card = { x, y, width: ratio * height, height };
      x += card.width + gap;
      return card;
    });
  });
}

/** Cuts a list into rows whose lengths differ by one at most, the longer ones first. */
function splitEvenly(ratios: readonly number[], count: number): number[][] {
  const rows: number[][] = [];
  for (let row = 0, from = 0; row < count; row += 1) {
    const length = Math.ceil((ratios.length - from) / (count - row));
    rows.push(ratios.slice(from, from + length));
    from += length;
  }
  return rows;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
