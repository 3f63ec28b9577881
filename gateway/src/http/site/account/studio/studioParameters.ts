import {
  type ByKind,
  byKind,
  capabilitiesOf,
  choicesOf,
  hasFlag,
  maxLengthOf,
  type Model,
  rangeOf,
  type RowOf,
} from '@framegate/contract';
import { resolveParameters } from '../../../../domain/generations/requestRules.ts';
import { text } from '../../../../texts/text.ts';
import type { FormErrors } from '../../../pages/formErrors.ts';
import { attributes, type Html, html, richText } from '../../../pages/html.ts';
import { soundPrice } from '../../soundPrice.ts';
import type { FormFields } from '../fields.ts';
import { parameterLabel } from '../generations/labels.ts';
import { formParameters, type StudioForm } from './studioForm.ts';

/** A parameter's control in the form. */
interface Control {
  label: string;
  /** Name of the field in the form. */
  field: string;
  /** Typed value, else the model's default; empty for none. */
  value: string;
  /** Message of its error. */
  error: string | undefined;
  model: Model;
  fields: FormFields;
}

/**
 * The controls of the parameters that a model offers.
 * @returns `chips`, used by most requests: sizes, then switches. `others` share one chip; `hasError` is true if one of
 * those has a problem.
 */
export function parameterControls(
  { model, typed }: StudioForm,
  { fields, errors }: { fields: FormFields; errors: FormErrors | undefined },
): { chips: Html[]; others: Html[]; hasError: boolean } {
  const usual: Readonly<Record<string, string | number | boolean | undefined>> = {
    ...resolveParameters(model),
  };
  const sizes: Html[] = [];
  const switches: Html[] = [];
  const others: Html[] = [];
  let hasError = false;
  for (const [name, row] of formParameters(model)) {
    const field = `parameters.${name}`;
    const value = typed[name] ?? String(usual[name] ?? '');
    const error = errors?.fields[field];
    const label = parameterLabel(model.type, name);
    const control = byKind(drawn, row, { field, label, value, error, model, fields });
    if (row.kind === 'flag') {
      switches.push(control);
      continue;
    }
    const isRare =
      row.capability === null ||
      row.capability === 'output_formats' ||
      row.kind === 'fraction' ||
      row.kind === 'text';
    (isRare ? others : sizes).push(control);
    hasError ||= isRare && error !== undefined;
  }
  return { chips: [...sizes, ...switches], others, hasError };
}

const idOf = (field: string) => `field-${field.replace(/[._]/g, '-')}`;

/** A number, within the model's bounds if it has any. */
function integerOf(row: RowOf<'integer'>, { field, label, value, model, fields }: Control): Html {
  const range = rangeOf(row, capabilitiesOf(model));
  if (row.capability === null || range === null) {
    const options = { value, inputmode: 'numeric', autocomplete: 'off' };
    return fields.input(field, text('models.optional', { label }), options);
  }
  const { min, max } = range;
  const options = { value, type: 'number', min, max, step: 1 };
  return fields.input(field, text('models.between', { label, min, max }), options);
}

function choiceOf(row: RowOf<'choice'>, { field, label, value, model, fields }: Control): Html {
  const isFormat = row.capability === 'output_formats';
  const choices = choicesOf(row, capabilitiesOf(model)).map(
    (each) => [each, isFormat ? each.toUpperCase() : each] as const,
  );
  return fields.select(field, label, choices, { value });
}

function switchOf(row: RowOf<'flag'>, { field, label, value, error, model }: Control): Html {
  if (!hasFlag(row, capabilitiesOf(model))) return html``;
  const box = attributes({
    type: 'checkbox',
    role: 'switch',
    name: field,
    value: 'true',
    id: idOf(field),
    checked: value === 'true',
  });
  const price = row.capability === 'generate_audio' ? soundPrice([model]) : null;
  const aside = (inner: Html) => html`<span class="aside">${inner}</span>`;
  const words = price === null ? label : richText('models.withSound', { price, aside });
  return html`<label class="check switch chip"><input ${box} /> ${words}</label>
    ${error !== undefined && html`<p class="problem">${error}</p>`}`;
}

function fractionOf(row: RowOf<'fraction'>, { field, label, value, model, fields }: Control): Html {
  const range = rangeOf(row, capabilitiesOf(model));
  if (range === null) return html``;
  const { min, max } = range;
  const options = { value, type: 'number', min, max, step: row.range.step };
  return fields.input(field, text('models.between', { label, min, max }), options);
}

function textControl(row: RowOf<'text'>, { field, label, value, model, fields }: Control): Html {
  if (maxLengthOf(row, capabilitiesOf(model)) === null) return html``;
  const optional = text('models.optional', { label });
  return row.hasLines
    ? fields.text(field, optional, { value, rows: 2 })
    : fields.input(field, optional, { value, autocomplete: 'off' });
}

const drawn: ByKind<[Control], Html> = {
  integer: integerOf,
  fraction: fractionOf,
  choice: choiceOf,
  flag: switchOf,
  text: textControl,
};
