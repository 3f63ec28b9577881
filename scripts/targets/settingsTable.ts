import { settings } from '../../gateway/src/config/settings.ts';
import { betweenMarkers, type Target } from '../target.ts';

/** The table of settings in docs/operating.md. */
export const settingsTable: Target = {
  file: 'docs/operating.md',
  content: (page) => betweenMarkers(page, 'settings', table()),
};

function table(): string {
  const rows = Object.entries(settings).map(([name, setting]) => {
    const { fallback, fallbackText, unit, meaning, allowed, secret } = setting;
    const usual = fallback === null ? (fallbackText ?? 'not set') : `\`${fallback}\``;
    const notes = `${meaning} Allowed: ${allowed}.${secret ? ` Secret; also \`${name}_FILE\`.` : ''}`;
    return [`\`${name}\``, usual, unit, notes].map(cell).join(' | ');
  });
  return ['Name | Default | Unit | Meaning', '--- | --- | --- | ---', ...rows].join('\n');
}

const cell = (text: string) => text.replaceAll('|', '\\|');
