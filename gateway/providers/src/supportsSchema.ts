import { imageResolutions, parametersOf, videoModes, videoResolutions } from '@framegate/contract';
import type { Parameter } from '@framegate/contract';
import Joi from 'joi';

const count = Joi.number().integer().min(0).max(100);
const modes = Joi.array().items(Joi.string().valid(...videoModes));
const resolutions = Joi.array().items(Joi.string().valid(...videoResolutions, ...imageResolutions));

/** What `supports` may say of each parameter; a choice has the values of both types. */
function limitsOf(isTaken: (row: Parameter) => boolean): Joi.SchemaMap {
  const rows = Object.values(parametersOf).flatMap((table) => Object.values(table));
  const taken = rows.filter((row) => row.support !== null && isTaken(row));
  const byName = Map.groupBy(taken, ({ support }) => support?.name ?? '');
  return Object.fromEntries([...byName].map(([name, same]) => [name, limitOf(same)]));
}

function limitOf(same: readonly Parameter[]): Joi.Schema {
  const [row] = same;
  if (row?.kind === 'flag') {
    return row.support?.mayForce ? Joi.valid(true, false, 'always') : Joi.boolean();
  }
  if (row?.kind === 'integer') {
    const { min, max } = row.range ?? { min: 1, max: 60 };
    const whole = Joi.number().integer().min(min).max(max);
    return Joi.alternatives(
      Joi.object({ min: whole.required(), max: whole.min(Joi.ref('min')).required() }),
      Joi.array().items(whole).min(1),
    );
  }
  const values = same.flatMap((each) => (each.kind === 'choice' ? each.values : []));
  return Joi.array().items(Joi.string().valid(...values));
}

/** Limits on all requests, or on those of a kind. */
const limits = limitsOf(({ apart }) => !apart);

/** Schema of a route's `supports`. */
export const supportsSchema = Joi.object({
  ...limitsOf(() => true),
  lastFrame: Joi.boolean(),
  references: Joi.object({ image: count, video: count, audio: count }),
  modes,
  combinations: Joi.array().items(
    Joi.object({
      when: Joi.object({ modes, resolutions }).min(1).required(),
      only: Joi.object(limits).min(1).required(),
    }),
  ),
});
