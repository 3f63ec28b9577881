import { settings } from '../../gateway/src/settings/settings.ts';
import { betweenMarkers, type Target } from '../target.ts';

/** Table of settings in the documentation. */
export const settingsTable: Target = {
  file: 'docs/operating/settings.md',
  content: (page) => betweenMarkers(page, 'settings', table()),
};

function table(): string {
  const rows = Object.entries(settings).map(([name, setting]) => {
    const { fallback, fallbackText, unit, meaning, allowed, isSecret } = setting;
    const value = unit === '' ? `\`${fallback}\`` : `\`${fallback}\` ${unit}`;
    const usual = fallback === null ? (fallbackText ?? 'not set') : value;
    const notes = `${meaning}${isSecret ? ' Secret.' : ''}`;
    return [`\`${name}\``, usual, notes, allowed].map(cell).join(' | ');
  });
  return ['Name | Default | Meaning | Allowed', '--- | --- | --- | ---', ...rows].join('\n');
}

const cell = (text: string) => text.replaceAll('|', '\\|');
