import { plainText } from '../schemas/fields.ts';
import type { OperatorOperation } from './operation.ts';
import { reportLimits, reportQuery, usageReportSchema } from './reportSchemas.ts';

const about = `Usage, revenue, costs and margin of the generations that ended on these days, by day, account and model. A report can have at most ${reportLimits.rows.toLocaleString('en-US')} rows; for more, request fewer days or a coarser split.`;

/** Operations on reports. */
export const reportOperations = {
  getUsage: {
    method: 'GET',
    path: '/reports/usage',
    tag: 'Reports',
    scope: 'reports:read',
    summary: 'Report usage and margin',
    description: about,
    query: reportQuery,
    status: 200,
    response: usageReportSchema,
    refusals: [],
  },
  getUsageCsv: {
    method: 'GET',
    path: '/reports/usage.csv',
    tag: 'Reports',
    scope: 'reports:read',
    summary: 'Report usage and margin as CSV',
    description: `${about} Returned as CSV (RFC 4180) with a header row; later versions may append columns.`,
    query: reportQuery,
    status: 200,
    media: 'text/csv',
    response: plainText().meta({ component: 'UsageCsv' }),
    refusals: [],
  },
} as const satisfies Record<string, OperatorOperation>;
