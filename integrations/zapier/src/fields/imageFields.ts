import type { PlainInputField } from 'zapier-platform-core';
import { seedField } from './commonFields.ts';
import type { FormModel } from './formModel.ts';
import { choiceField, fieldsByModel } from './modelFields.ts';

/** The fields of Create Image that depend on the model. */
export const imageModelFields = fieldsByModel('image', fieldsOf);

function fieldsOf(form: FormModel): PlainInputField[] {
  const { inputs, n, resolutions, aspect_ratios, output_formats } = form;
  const fields: PlainInputField[] = [];
  if (inputs.image.max_count > 0) {
    const url: PlainInputField = {
      key: 'input_url',
      label: 'Input URL',
      type: 'string',
      helpText: `The public https address of a reference image, on a host that is approved for your API key, which only a real run can tell. At most ${inputs.image.max_count} images.`,
    };
    fields.push({ key: 'inputs', label: 'Inputs', children: [url] });
  }
  if (n !== null) fields.push(countField(n));
  return [
    ...fields,
    choiceField('resolution', 'Resolution', resolutions, 'It is 1k when left empty.'),
    choiceField('aspect_ratio', 'Aspect Ratio', aspect_ratios, 'It is 1:1 when left empty.'),
    choiceField('output_format', 'File Format', output_formats, 'It is png when left empty.'),
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
    helpText: `A whole number from ${min} to ${max}. It is 1 when left empty, and each image is charged.`,
  };
}
