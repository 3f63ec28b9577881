import { catalogue } from '@framegate/contract';
import { betweenMarkers, type Target } from '../target.ts';

/** Price tables in docs/credits.md. */
export const priceTables: Target = {
  file: 'docs/credits.md',
  content: (page) => betweenMarkers(page, 'prices', `${table('video')}\n\n${table('image')}`),
};

function table(type: 'video' | 'image'): string {
  const rows = catalogue.flatMap((model) => {
    if (model.type !== type) return [];
    const prices = model.type === 'video' ? model.creditsPerSecond : model.creditsPerImage;
    return [{ id: model.id, prices: new Map<string, number>(Object.entries(prices)) }];
  });
  const columns = [...new Set(rows.flatMap(({ prices }) => [...prices.keys()]))].toSorted(
    (a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10),
  );
  const unit = type === 'video' ? 'Credits per second' : 'Credits per image';
  return [
    [unit, ...columns],
    ['---', ...columns.map(() => '---')],
    ...rows.map(({ id, prices }) => [
      `\`${id}\``,
      ...columns.map((each) => prices.get(each) ?? '-'),
    ]),
  ]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}
