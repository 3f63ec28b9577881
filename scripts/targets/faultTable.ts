import { expected, faultTable as rows, packages } from '../../test/clients/faults/table.ts';
import { betweenMarkers, type Target } from '../target.ts';

/** How often each package sends its create after each fault, as the acceptance tests of the clients see it. */
export const faultTable: Target = {
  file: 'docs/integrations.md',
  content(page) {
    const head = ['fault', ...packages];
    const lines = rows.map((row) => {
      const place = row.does === null ? '' : `of the ${row.on}: `;
      const cells = packages.map((name) => {
        const { attempts, posts } = expected(row, name);
        return attempts === 1 ? `${posts}` : `${posts} (${attempts})`;
      });
      return [place + row.fault, ...cells];
    });
    const all = [head, head.map(() => '---'), ...lines];
    return betweenMarkers(
      page,
      'faults',
      all.map((cells) => `| ${cells.join(' | ')} |`).join('\n'),
    );
  },
};
