import type { ConfigProblem } from './configError.ts';
import type { ValuesOf } from './readSettings.ts';
import type { settings } from './settings.ts';

/** Settings that are right each for itself but do not go together. */
export function relationProblems(values: Partial<ValuesOf<typeof settings>>): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  if (typeof values.METRICS_PORT === 'number' && values.METRICS_PORT === values.PORT) {
    problems.push({
      setting: 'METRICS_PORT',
      message: `METRICS_PORT is ${values.METRICS_PORT}, the same as PORT: another port is needed.`,
    });
  }
  if (values.MEDIA_STORE === 's3' && values.S3_BUCKET === null) {
    problems.push({
      setting: 'S3_BUCKET',
      message: 'S3_BUCKET is not set: MEDIA_STORE=s3 needs a bucket.',
    });
  }
  const halves = [values.S3_ACCESS_KEY_ID, values.S3_SECRET_ACCESS_KEY];
  if (halves.includes(null) && halves.some((half) => typeof half === 'string')) {
    const missing = halves[0] === null ? 'S3_ACCESS_KEY_ID' : 'S3_SECRET_ACCESS_KEY';
    problems.push({
      setting: missing,
      message: `${missing} is not set: S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY go together.`,
    });
  }
  return problems;
}
