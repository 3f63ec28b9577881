import type { PlainInputField } from 'zapier-platform-core';
import { imageParameters } from '../generated/contract.ts';
import type { FormModel } from './formModel.ts';
import { fieldsByModel } from './modelFields.ts';
import { parameterFields } from './parameterFields.ts';

/** The fields of Create Image that depend on the model. */
export const imageModelFields = fieldsByModel('image', imageInputFields);

function imageInputFields(form: FormModel): PlainInputField[] {
  const { inputs } = form;
  const fields: PlainInputField[] = [];
  if (inputs.image.max_count > 0) {
    const url: PlainInputField = {
      key: 'input_url',
      label: 'Input URL',
      type: 'string',
      helpText: `The public https address of a reference image. Its host must be approved for your API key, which only a real run can check. Up to ${inputs.image.max_count} images.`,
    };
    fields.push({ key: 'inputs', label: 'Inputs', children: [url] });
  }
  return [...fields, ...parameterFields(imageParameters, form)];
}
