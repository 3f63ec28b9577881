import type { PlainInputField } from 'zapier-platform-core';
import { seedField } from './commonFields.ts';
import type { FormModel } from './formModel.ts';
import { choiceField, fieldsByModel } from './modelFields.ts';

/** The fields of Create Image that depend on the model. */
export const imageModelFields = fieldsByModel('image', fieldsOf);

function fieldsOf(form: FormModel): PlainInputField[] {
  const { inputs, n, resolutions, resolution, aspect_ratios, output_formats } = form;
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
  if (n !== null) fields.push(countField(n));
  return [
    ...fields,
    choiceField('resolution', 'Resolution', resolutions, resolution),
    choiceField('aspect_ratio', 'Aspect Ratio', aspect_ratios, '1:1'),
    choiceField('output_format', 'File Format', output_formats, 'png'),
    seedField,
  ];
}

/** How many images. */
export function countField({ min, max }: { min: number; max: number }): PlainInputField {
  return {
    key: 'n',
    label: 'Number of Images',
    type: 'integer',
    placeholder: '1',
    helpText: `A whole number from ${min} to ${max}. Defaults to 1. Each image is charged.`,
  };
}
