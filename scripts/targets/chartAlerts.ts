import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Target } from '../target.ts';

const alerts = join(import.meta.dirname, '../../docs/grafana/alerts.yaml');

/** Copy of the alert rules for the chart, because Helm cannot read files outside a chart. */
export const chartAlerts: Target = {
  file: 'deploy/helm/framegate/alerts.yaml',
  content: () => readFileSync(alerts, 'utf8'),
};
