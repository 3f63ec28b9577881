import { Refusal } from '../../../domain/refusal.ts';
import { text } from '../../../texts/text.ts';
import { revealButton } from '../../pages/elements.ts';
import type { Form } from '../../pages/form.ts';
import { type FormErrors, formErrors } from '../../pages/formErrors.ts';
import { attributes, type Html, html } from '../../pages/html.ts';

/** Options of a field and attributes of its element, such as `autocomplete`. */
interface FieldOptions {
  hint?: string;
  /** Initial value; by default the submitted one. */
  value?: string | number;
  /** Name of the field in the form's errors and in the element's id, if it differs. */
  errorName?: string;
  [attribute: string]: string | number | boolean | undefined;
}

/** Renders labelled fields of a form. */
export interface FormFields {
  /** A field of one line; passwords are never filled in. */
  input(name: string, label: string, options?: FieldOptions): Html;
  /** A field of several lines. */
  text(name: string, label: string, options: FieldOptions & { rows: number }): Html;
  /** A choice of labelled values. */
  select(name: string, label: string, choices: Choices, options?: FieldOptions): Html;
  /** All errors with links to their fields. Call it after rendering the fields, whose labels it uses. */
  errorSummary(): Html | null;
}

type Choices = readonly (readonly [string, string])[];

/** Renders fields with their submitted values and errors. */
export function formFields(form: Form, errors?: FormErrors): FormFields {
  const labels = new Map<string, string>();
  const control = (name: string, options: FieldOptions): Html => {
    const { hint, errorName = name, ...own } = options;
    const id = fieldId(errorName);
    const isWrong = errors?.fields[errorName] !== undefined;
    const described = [hint !== undefined && `${id}-hint`, isWrong && `${id}-problem`];
    return attributes({
      id,
      name,
      ...own,
      'aria-invalid': isWrong && 'true',
      'aria-describedby': described.filter(Boolean).join(' ') || undefined,
    });
  };
  const row = (name: string, label: string, options: FieldOptions, element: Html): Html => {
    const { hint, errorName = name } = options;
    const id = fieldId(errorName);
    labels.set(errorName, label);
    const error = errors?.fields[errorName];
    return html`<div class="field-row">
      <label for="${id}">${withAside(label)}</label>
      ${hint !== undefined && html`<p class="quiet" id="${id}-hint">${hint}</p>`} ${element}
      ${error !== undefined && html`<p class="problem" id="${id}-problem">${error}</p>`}
    </div>`;
  };
  return {
    input(name, label, { type = 'text', value = form.get(name), ...others } = {}) {
      const options = { type, value: type === 'password' ? '' : value, ...others };
      const element = html`<input ${control(name, options)} />`;
      const reveal = type === 'password' && revealButton();
      return row(name, label, options, html`${element} ${reveal}`);
    },
    text(name, label, { value = form.get(name), ...options }) {
      // HTML parsers drop the first line break.
      const content = `\n${value}`;
      const element = html`<textarea dir="auto" ${control(name, options)}>${content}</textarea>`;
      return row(name, label, options, element);
    },
    select(name, label, choices, { value = form.get(name), ...options } = {}) {
      const drawn = choices.map(([choice, words]) => {
        const own = attributes({ value: choice, selected: choice === value });
        return html`<option ${own}>${words}</option>`;
      });
      const element = html`<select ${control(name, options)}>
        ${drawn}
      </select>`;
      return row(name, label, options, element);
    },
    errorSummary: () => (errors ? errorSummary(errors, labels) : null),
  };
}

/** The end of a label in brackets. */
const inBrackets = / \([^()]*\)$/;

/** A label whose bounds in brackets a narrow form may hide visually. */
function withAside(label: string): Html {
  const [aside] = inBrackets.exec(label) ?? [];
  if (aside === undefined || !/\d/.test(aside)) return html`${label}`;
  return html`${label.slice(0, -aside.length)}<span class="aside">${aside}</span>`;
}

function fieldId(name: string): string {
  return `field-${name.replace(/[^a-z0-9]+/gi, '-')}`;
}

function errorSummary(
  { fields, message }: FormErrors,
  labels: ReadonlyMap<string, string>,
): Html | null {
  const entries = Object.entries(fields);
  if (message === '' && entries.length === 0) return null;
  const links = entries.map(([name, error]) => {
    // Without the bounds in brackets, because the message contains them.
    const label = labels.get(name)?.replace(inBrackets, '');
    return html`<li>
      <a href="#${fieldId(name)}">${label !== undefined && `${label}: `}${error}</a>
    </li>`;
  });
  const lead = text('errors.fixFields', { count: entries.length });
  return html`<div class="notice danger" role="alert" id="problems" tabindex="-1" autofocus>
    ${message !== '' && html`<p>${message}</p>`}
    ${
      entries.length > 0 &&
      html`<p>${lead}</p>
        <ul>
          ${links}
        </ul>`
    }
  </div>`;
}

/** The message for a whole form above it; null without one. */
export const messageSummary = (errors: Pick<FormErrors, 'message'> | undefined): Html | null =>
  errors ? errorSummary({ fields: {}, message: errors.message }, new Map()) : null;

/** Field of a day in the search of a list. */
export const dayField = (value: string): Html =>
  html`<label for="day">${text('history.day')}</label>
    <input ${attributes({ id: 'day', name: 'day', type: 'date', value })} />`;

/** A field that may be empty but must be there: an omitted one must not remove a limit. @throws Refusal */
export function sentField(form: Form, name: string): string {
  const [value] = form.all(name);
  if (value === undefined) throw new Refusal('form_field_missing', { param: name });
  return value;
}

/** Runs the action of a form; on a refusal, shows the form again with its errors. */
export async function retryForm(
  work: () => Promise<void>,
  showAgain: (errors: FormErrors) => void | Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    await showAgain(formErrors(error));
  }
}
