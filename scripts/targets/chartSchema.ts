import { settings } from '../../gateway/src/settings/settings.ts';
import type { Target } from '../target.ts';

/** Settings that the chart or the image sets itself. */
const managed = new Set([
  ...['MODE', 'ROLE', 'HOST', 'PORT', 'METRICS_HOST', 'METRICS_PORT', 'DATA_DIR'],
  ...['BASE_URL', 'MEDIA_URL', 'TRUST_PROXY', 'ROUTES_FILE', 'MONGOD', 'CACHE_DIR'],
  ...['OPERATOR_HOST', 'OPERATOR_PORT'],
  'INPUT_HOST_OVERRIDES',
]);

/** Allowed names in the chart's `settings`; secrets come from a Secret, never from values. */
export const chartSchema: Target = {
  file: 'deploy/helm/framegate/values.schema.json',
  content(current) {
    const schema = JSON.parse(current) as {
      properties: { settings: { properties: Record<string, { type: string[] }> } };
    };
    schema.properties.settings.properties = Object.fromEntries(
      Object.entries(settings)
        .filter(([name, { isSecret }]) => !isSecret && !managed.has(name))
        .map(([name]) => [name, { type: ['string', 'integer', 'boolean'] }]),
    );
    return JSON.stringify(schema);
  },
};
