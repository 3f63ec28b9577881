import type { PlainInputField } from 'zapier-platform-core';
import type { FormModel } from './formModel.ts';
import { countField } from './imageFields.ts';
import { choiceField, fieldsByModel } from './modelFields.ts';
import { audioField, durationField } from './videoFields.ts';

/** The fields of Estimate Price that depend on the model: what its price is made of. */
export const estimateModelFields = fieldsByModel(undefined, fieldsOf);

function fieldsOf(form: FormModel): PlainInputField[] {
  const { duration_seconds: duration, n, resolutions, generate_audio } = form;
  return [
    ...(duration === null ? [] : [durationField(duration)]),
    ...(n === null ? [] : [countField(n)]),
    choiceField('resolution', 'Resolution', resolutions, 'The usual one when left empty.'),
    ...(generate_audio ? [audioField] : []),
  ];
}
