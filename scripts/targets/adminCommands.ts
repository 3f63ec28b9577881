import { commands } from '../../gateway/src/commands/commands.ts';
import { betweenMarkers, type Target } from '../target.ts';

/** List of admin commands in the documentation. */
export const adminCommands: Target = {
  file: 'docs/operating/admin.md',
  content: (page) => betweenMarkers(page, 'admin commands', list()),
};

function list(): string {
  const rows = Object.entries(commands).map(([name, { usage, summary }]) =>
    [`\`${`${name} ${usage}`.trim().replaceAll('|', '\\|')}\``, summary].join(' | '),
  );
  return ['Command | What it does', '--- | ---', ...rows].join('\n');
}
