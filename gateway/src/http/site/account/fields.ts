import type { Form } from '../../pages/form.ts';
import { attributes, html, type Html } from '../../pages/html.ts';
import { revealButton } from '../../pages/layout.ts';
import { PlainRefusal } from '../../../domain/refusal.ts';

/** What is wrong with a form: sentences by field, and one for the form as a whole. A PlainRefusal is one. */
export interface FormErrors {
  fields: Readonly<Record<string, string>>;
  message: string;
}

/** How a field is shown, and the attributes of its element, such as `autocomplete`. */
interface FieldOptions {
  hint?: string;
  /** What stands in it; what was typed where it is left out. */
  value?: string | number;
  /** Its name among the form's errors where that is another one; the element's id is made of it. */
  errorName?: string;
  [attribute: string]: string | number | boolean | undefined;
}

/** Draws the fields of a form with their labels. */
export interface FormFields {
  /** A field of one line; a password is never filled in. */
  input(name: string, label: string, options?: FieldOptions): Html;
  /** A field of several lines. */
  text(name: string, label: string, options: FieldOptions & { rows: number }): Html;
  /** A choice of values, each with its label. */
  select(name: string, label: string, choices: Choices, options?: FieldOptions): Html;
  /** All that is wrong with the form, each with a link to its field. Called once the fields are drawn: it names them. */
  errorSummary(): Html | null;
}

type Choices = readonly (readonly [string, string])[];

/** Draws a form's fields with what was typed into them and what is wrong with it. */
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
      <label for="${id}">${label}</label>
      ${hint !== undefined && html`<p class="quiet" id="${id}-hint">${hint}</p>`} ${element}
      ${error !== undefined && html`<p class="problem" id="${id}-problem">${error}</p>`}
    </div>`;
  };
  return {
    input(name, label, { type = 'text', value = form.get(name), ...others } = {}) {
      const options = { type, value: type === 'password' ? '' : value, ...others };
      const element = html`<input ${control(name, options)} />`;
      const reveal = type === 'password' && revealButton;
      return row(name, label, options, html`${element} ${reveal}`);
    },
    text(name, label, { value = form.get(name), ...options }) {
      // The parser drops the first line break, and no other.
      const content = `\n${value}`;
      const element = html`<textarea ${control(name, options)}>${content}</textarea>`;
      return row(name, label, options, element);
    },
    select(name, label, choices, { value = form.get(name), ...options } = {}) {
      const drawn = choices.map(([choice, text]) => {
        const own = attributes({ value: choice, selected: choice === value });
        return html`<option ${own}>${text}</option>`;
      });
      const element = html`<select ${control(name, options)}>
        ${drawn}
      </select>`;
      return row(name, label, options, element);
    },
    errorSummary: () => (errors ? errorSummary(errors, labels) : null),
  };
}

/** The id of a field's element. */
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
    // Without what stands in brackets, such as the bounds, which the sentence tells.
    const label = labels.get(name)?.replace(/ \(.*\)$/, '');
    return html`<li>
      <a href="#${fieldId(name)}">${label !== undefined && `${label}: `}${error}</a>
    </li>`;
  });
  const lead = entries.length === 1 ? 'One field needs' : `${entries.length} fields need`;
  return html`<div class="notice danger" role="alert" id="problems" tabindex="-1" autofocus>
    ${message !== '' && html`<p>${message}</p>`}
    ${
      entries.length > 0 &&
      html`<p>${lead} a look:</p>
        <ul>
          ${links}
        </ul>`
    }
  </div>`;
}

/** Does what a form asks for, or shows the form again with what is wrong with it. */
export async function retryForm(
  work: () => Promise<void>,
  showAgain: (errors: PlainRefusal) => void | Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof PlainRefusal)) throw error;
    await showAgain(error);
  }
}
