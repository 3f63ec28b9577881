import { commands } from '../../gateway/src/admin/commands.ts';
import { betweenMarkers, type Target } from '../target.ts';

/** The list of admin commands in docs/operating.md. */
export const adminCommands: Target = {
  file: 'docs/operating.md',
  content: (page) => betweenMarkers(page, 'admin commands', list()),
};

function list(): string {
  const rows = Object.entries(commands).map(([name, { usage, summary }]) =>
    [`\`${`${name} ${usage}`.trim().replaceAll('|', '\\|')}\``, summary].join(' | '),
  );
  return ['Command | What it does', '--- | ---', ...rows].join('\n');
}
