import { sum } from '@framegate/contract';
import type { HistoryItem } from '../../../../application/ports/generations.ts';
import { text } from '../../../../texts/text.ts';
import { urlOf } from '../../../pages/elements.ts';
import { attributes, formatBytes, type Html, html } from '../../../pages/html.ts';
import { historyPath, type HistoryQuery, listKeyOf } from '../generations/historyFilter.ts';

/** Name of the field that chooses a whole list instead of single generations. */
export const allField = 'all';

/** Links that choose the whole list of a page, or download it. @param more Shown after them. */
export function allLinks(query: HistoryQuery, more: Html): Html {
  const choose = urlOf(historyPath, { ...query, before: '', select: 'all' });
  const download = urlOf('/history/files.zip', { [allField]: listKeyOf(query) });
  return html`<p class="inline">
    <a href="${choose}">${text('wall.selectAll')}</a>
    <a href="${download}" download>${text('generation.downloadAll')}</a>
    ${more}
  </p>`;
}

/**
 * The box that chooses the whole list, with a summary of its contents. If it is not selected, the boxes of the pictures
 * apply.
 */
export function allPart(
  query: HistoryQuery,
  { items, isWhole }: { items: readonly HistoryItem[]; isWhole: boolean },
): Html {
  const outputs = items.flatMap((item) => (item.outputsRemovedAt === null ? item.outputs : []));
  const box = attributes({
    type: 'checkbox',
    name: allField,
    value: listKeyOf(query),
    form: 'wall',
    checked: true,
    autocomplete: 'off',
    'data-count': items.length,
  });
  return html`<p class="all">
    <label class="check"
      ><input ${box} /> ${text(isWhole ? 'wall.allSelected' : 'wall.newestSelected', {
        count: items.length,
        files: outputs.length,
        size: formatBytes(sum(outputs.map(({ bytes }) => bytes))),
      })}</label
    >
  </p>`;
}
