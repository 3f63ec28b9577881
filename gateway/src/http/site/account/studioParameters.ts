import {
  capabilitiesOf,
  choicesOf,
  hasFlag,
  pageLabel,
  rangeOf,
  type ChoiceRow,
  type FlagRow,
  type IntegerRow,
  type Model,
} from '@framegate/contract';
import { resolveParameters } from '../../../domain/requestRules.ts';
import { attributes, html, type Html } from '../../pages/html.ts';
import type { FormErrors, FormFields } from './fields.ts';
import { choiceTiles, ratioTiles } from './studioChoices.ts';
import { formParameters, type StudioForm } from './studioForm.ts';
import { soundPrice } from './studioPrice.ts';

/** A parameter's control in the form. */
interface Control<R> {
  row: R;
  /** Name of the field in the form. */
  field: string;
  /** Entered value, or else the model's usual one; empty for none. */
  value: string;
  /** Message of its error. */
  error: string | undefined;
  model: Model;
  fields: FormFields;
}

/** The controls of the parameters that a model offers: sizes, then switches, then smaller fields in one row. */
export function parametersPart(
  { model, typed }: StudioForm,
  { fields, errors }: { fields: FormFields; errors: FormErrors | undefined },
): Html {
  const usual: Readonly<Record<string, string | number | boolean | undefined>> = {
    ...resolveParameters(model),
  };
  const sizes: Html[] = [];
  const switches: Html[] = [];
  const others: Html[] = [];
  for (const [name, row] of formParameters(model)) {
    const field = `parameters.${name}`;
    const value = typed[name] ?? String(usual[name] ?? '');
    const common = { field, value, error: errors?.fields[field], model, fields };
    if (row.kind === 'flag') switches.push(switchOf({ ...common, row }));
    else if (row.kind === 'integer') {
      (row.capability === null ? others : sizes).push(numberOf({ ...common, row }));
    } else {
      const isSize = row.capability === 'resolutions' || row.capability === 'aspect_ratios';
      (isSize ? sizes : others).push(choiceOf({ ...common, row }));
    }
  }
  return html`${sizes} ${switches}
    <div class="checks">${others}</div>`;
}

const idOf = (field: string) => `field-${field.replace(/[._]/g, '-')}`;

/** A number; with a slider between the bounds of the model. */
function numberOf({ row, field, value, model, fields }: Control<IntegerRow>): Html {
  const label = pageLabel(row);
  const range = rangeOf(row, capabilitiesOf(model));
  if (row.capability === null || range === null) {
    const options = { value, inputmode: 'numeric', autocomplete: 'off' };
    return fields.input(field, `${label} (optional)`, options);
  }
  const { min, max } = range;
  const bounds = { min, max, step: 1 };
  const number = fields.input(field, `${label} (${min} to ${max})`, {
    value,
    type: 'number',
    ...bounds,
  });
  // The slider sends nothing; the number field does.
  const slider = attributes({
    type: 'range',
    id: `slider-${field.slice('parameters.'.length)}`,
    value,
    ...bounds,
    class: 'only-script',
    'aria-label': 'Slider',
    'data-for': idOf(field),
  });
  return html`<div class="checks">${number}<input ${slider} /></div>`;
}

function choiceOf({ row, field, value, error, model, fields }: Control<ChoiceRow>): Html {
  const offered = choicesOf(row, capabilitiesOf(model));
  if (row.capability === 'aspect_ratios') return ratioTiles(offered, value);
  if (row.capability === 'resolutions') {
    const tiles = offered.map((each) => ({ value: each, label: each }));
    return choiceTiles(field, pageLabel(row), tiles, { value, error });
  }
  const isFormat = row.capability === 'output_formats';
  const choices = offered.map((each) => [each, isFormat ? each.toUpperCase() : each] as const);
  return fields.select(field, pageLabel(row), choices, { value });
}

function switchOf({ row, field, value, error, model }: Control<FlagRow>): Html {
  if (!hasFlag(row, capabilitiesOf(model))) return html``;
  const box = attributes({
    type: 'checkbox',
    role: 'switch',
    name: field,
    value: 'true',
    id: idOf(field),
    checked: value === 'true',
  });
  const label =
    row.capability === 'generate_audio' ? `With sound (${soundPrice([model])})` : pageLabel(row);
  return html`<label class="check switch"><input ${box} /> ${label}</label>
    ${error !== undefined && html`<p class="problem">${error}</p>`}`;
}
