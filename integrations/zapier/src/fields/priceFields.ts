import type { PlainInputField } from 'zapier-platform-core';
import type { FormModel } from './formModel.ts';
import { countField } from './imageFields.ts';
import { choiceField, fieldsByModel } from './modelFields.ts';
import { audioField, durationField } from './videoFields.ts';

/** The fields of Find Price that depend on the model: the parts of its price. */
export const priceModelFields = fieldsByModel(undefined, fieldsOf);

function fieldsOf(form: FormModel): PlainInputField[] {
  const { duration_seconds: duration, n, resolutions, resolution, generate_audio } = form;
  return [
    ...(duration === null ? [] : [durationField(duration)]),
    ...(n === null ? [] : [countField(n)]),
    choiceField('resolution', 'Resolution', resolutions, resolution),
    ...(generate_audio ? [audioField] : []),
  ];
}
