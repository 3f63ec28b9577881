import Joi from 'joi';
import { editsBetween, jsonPath } from '@framegate/contract';

/** The name that was probably meant; null if none is near. */
export function nearestName(given: string, names: readonly string[]): string | null {
  const lower = given.toLowerCase();
  const measured = names.map((name) => ({ name, far: editsBetween(lower, name.toLowerCase()) }));
  const [best] = measured.toSorted((a, b) => a.far - b.far);
  return best && best.far <= Math.max(2, given.length / 3) ? best.name : null;
}

/** An object with these fields; an error about another field names the nearest of them. */
export function fields(map: Joi.SchemaMap): Joi.ObjectSchema {
  const names = Object.keys(map);
  const explain = (errors: Joi.ErrorReport[]) => {
    for (const report of errors) {
      const local = report.local as Record<string, unknown>;
      if (report.code !== 'object.unknown' || 'meant' in local) continue;
      const near = nearestName(String(local['child']), names);
      local['meant'] = near === null ? '' : ` (did you mean "${near}"?)`;
    }
    // Joi takes the reports themselves, which its types do not say.
    return errors as unknown as Joi.ValidationErrorItem;
  };
  return Joi.object(map).messages({ 'object.unknown': 'is not allowed{{#meant}}' }).error(explain);
}

/** A schema whose problems are sentences about the operator's file. */
export function explained<S extends Joi.Schema>(schema: S): S {
  return schema.prefs({ errors: { label: false, wrap: { label: false } } }).messages({
    'string.pattern.name': 'must be {{#name}}',
    'alternatives.types': 'must be a list of whole seconds, or their min and max',
  }) as S;
}

/** One sentence for each problem, starting with its JSON path. */
export function problemsOf(error: Joi.ValidationError | undefined): string[] {
  return (error?.details ?? []).map(({ path, message }) => `${jsonPath(path)} ${message}.`);
}
