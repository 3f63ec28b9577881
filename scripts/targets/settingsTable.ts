import { settings } from '../../gateway/src/config/settings.ts';
import { betweenMarkers, type Target } from '../target.ts';

/** Table of settings in the documentation. */
export const settingsTable: Target = {
  file: 'docs/operating/settings.md',
  content: (page) => betweenMarkers(page, 'settings', table()),
};

function table(): string {
  const rows = Object.entries(settings).map(([name, setting]) => {
    const { fallback, fallbackText, unit, meaning, allowed, secret } = setting;
    const usual = fallback === null ? (fallbackText ?? 'not set') : `\`${fallback}\``;
    const notes = `${meaning}${secret ? ' Secret.' : ''}`;
    return [`\`${name}\``, usual, unit, notes, allowed].map(cell).join(' | ');
  });
  return ['Name | Default | Unit | Meaning | Allowed', '--- | --- | --- | --- | ---', ...rows].join(
    '\n',
  );
}

const cell = (text: string) => text.replaceAll('|', '\\|');
