/** HTML that is safe to send: made by `html` alone. */
export interface Html {
  readonly markup: string;
}

/** What may stand in a template: text is escaped, HTML is not, `null`, `undefined` and `false` write nothing. */
export type HtmlValue =
  string | number | Html | readonly (Html | null)[] | null | undefined | false;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for element content and quoted attributes. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

/** A template of HTML: `` html`<p title="${title}">${text}</p>` ``. Attributes must be quoted. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  const markup = parts.map((part, index) => part + markupOf(values[index]));
  return { markup: markup.join('') };
}

function markupOf(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return '';
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  if ('markup' in value) return value.markup;
  return value.map((each) => each?.markup ?? '').join('');
}

/** Attributes by name, for a tag of a template; `true` is a name alone, `undefined` and `false` leave it out. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Writes attributes into a tag: `` html`<input ${attributes({ name, required: true })} />` ``. */
export function attributes(values: Attributes): Html {
  const written = Object.entries(values).flatMap(([name, value]) => {
    if (value === undefined || value === false) return [];
    return value === true ? [name] : [`${name}="${escapeHtml(String(value))}"`];
  });
  return { markup: written.join(' ') };
}
