/*
 * A drawing is accepted only if all of it belongs to a small part of SVG that draws and does nothing else. Anything
 * unknown is refused, so that no reader can find more in a file than was found here.
 */

/** Elements that only draw. Without `use`, a small file cannot expand into a large drawing. */
const elements = new Set(
  [
    ['svg', 'g', 'defs', 'title', 'desc', 'style', 'clipPath', 'mask'],
    ['path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon', 'text', 'tspan'],
    ['linearGradient', 'radialGradient', 'stop'],
  ].flat(),
);

const maxElements = 2_000;
const maxDepth = 50;
/** Maximum problems listed per drawing. */
const maxProblems = 5;

const svgNamespace = 'http://www.w3.org/2000/svg';

/** Prefixed attributes without meaning for a drawing. */
const idlePrefixed = /^(xml:(space|lang)|xmlns:\w+)$/;

/** A declaration of another encoding would make a reader see other characters. */
const declaration =
  /^\uFEFF?(<\?xml\s+version=["']1\.0["'](\s+encoding=["']utf-8["'])?(\s+standalone=["'](yes|no)["'])?\s*\?>)?\s*/i;

const attribute = String.raw`\s+[A-Za-z_][\w:.-]*\s*=\s*(?:"[^"<]*"|'[^'<]*')`;
const tokens = new RegExp(
  [
    String.raw`(?<comment><!--(?:(?!--)[^])*-->)`,
    String.raw`<(?<opened>[A-Za-z_][\w:.-]*)(?<attributes>(?:${attribute})*)\s*(?<empty>/?)>`,
    String.raw`</(?<closed>[A-Za-z_][\w:.-]*)\s*>`,
    String.raw`(?<text>[^<]+)`,
  ].join('|'),
  'y',
);

/** A parsed drawing. */
export interface Drawing {
  /** Width divided by height; null without a viewBox. */
  ratio: number | null;
  /** Each completes "the file …"; a drawing with any is never shown. */
  problems: readonly string[];
}

/** Parses an SVG file. */
export function parseSvg(svg: string): Drawing {
  const problems = new Set<string>();
  const report = (problem: string) => {
    if (problems.size < maxProblems) problems.add(problem);
  };
  const openElements: string[] = [];
  let count = 0;
  let ratio: number | null = null;
  const text = svg.replace(declaration, '');
  tokens.lastIndex = 0;
  while (tokens.lastIndex < text.length) {
    const at = tokens.lastIndex;
    const token = tokens.exec(text)?.groups;
    if (!token) {
      report(unreadable(text.slice(at, at + 20)));
      break;
    }
    const { opened, closed, attributes = '', empty } = token;
    if (opened !== undefined) {
      count += 1;
      if (openElements.length === 0) {
        if (count > 1 || opened !== 'svg') report('is not one <svg> element');
        ratio = ratioOf(attributes);
      }
      checkElement(opened, attributes, report);
      if (empty === '') openElements.push(opened);
      if (openElements.length > maxDepth) report(`is more than ${maxDepth} elements deep`);
    } else if (closed !== undefined) {
      if (openElements.pop() !== closed) report(`closes <${closed}> where it is not open`);
    } else if (token['text'] !== undefined) {
      checkText(token['text'], openElements.at(-1), report);
    }
  }
  if (count === 0) report('has no <svg> element');
  if (openElements.length > 0) report(`does not close <${openElements.at(-1)}>`);
  if (count > maxElements) report(`has more than ${maxElements} elements`);
  return { ratio, problems: [...problems] };
}

function unreadable(rest: string): string {
  if (/^<!DOCTYPE/i.test(rest)) return 'has a DOCTYPE, which can define entities: remove it';
  if (/^<!\[CDATA/i.test(rest)) return 'has a CDATA section';
  if (rest.startsWith('<?')) return 'has a processing instruction';
  return `is not well-formed at ${JSON.stringify(rest)}`;
}

function checkElement(name: string, attributes: string, report: (problem: string) => void): void {
  if (!elements.has(name)) report(`has <${name}>, which is not a shape, text or a gradient`);
  const seenKeys = new Set<string>();
  for (const { key, value } of attributesOf(attributes)) {
    const lower = key.toLowerCase();
    if (seenKeys.has(lower)) report(`has the attribute "${key}" twice in one element`);
    seenKeys.add(lower);
    if (lower.startsWith('on')) {
      report(`has the event handler "${key}"`);
    } else if (/(^|:)(href|src)$/.test(lower)) {
      report(`refers to other content by "${key}"`);
    } else if (key === 'xmlns') {
      if (value !== svgNamespace) report(`has the namespace ${JSON.stringify(value)}`);
    } else if (key.includes(':') && !idlePrefixed.test(key)) {
      report(`has the attribute "${key}" of an editor: save it as plain SVG`);
    } else if (!key.startsWith('xmlns:')) {
      checkValue(key, value, report);
    }
  }
  if (name === 'svg' && !seenKeys.has('xmlns')) report(`lacks xmlns="${svgNamespace}"`);
}

function* attributesOf(text: string): Generator<{ key: string; value: string }> {
  for (const [, key = '', quoted = ''] of text.matchAll(
    /(?<![\w:.-])([A-Za-z_][\w:.-]*)\s*=\s*("[^"]*"|'[^']*')/g,
  )) {
    yield { key, value: quoted.slice(1, -1) };
  }
}

/** Styles and presentation attributes may refer only to gradients and clips of the same file. */
function checkValue(key: string, value: string, report: (problem: string) => void): void {
  if (/&(?!(?:amp|lt|gt|quot|apos);)/.test(value)) {
    report(`has an entity or a character reference in "${key}"`);
  } else if (!isLocal(value, key === 'style')) {
    report(`loads something by "${key}"`);
  }
}

function checkText(
  text: string,
  within: string | undefined,
  report: (problem: string) => void,
): void {
  if (within === undefined) {
    if (text.trim() !== '') report('has text outside of <svg>');
  } else if (/&(?!(?:amp|lt|gt|quot|apos);)/.test(text)) {
    report('has an entity or a character reference');
  } else if (within === 'style' && !isLocal(text, true)) {
    report('has a <style> with an external reference, an @ rule, an escape or the word "image"');
  }
}

/** Whether a value refers to nothing outside the file. */
function isLocal(value: string, isStyle: boolean): boolean {
  const rest = value
    .replace(/\/\*[^]*?(?:\*\/|$)/g, (comment) => (comment.endsWith('*/') ? ' ' : comment))
    .replace(/url\(\s*(?:#[\w.-]+|'#[\w.-]+'|"#[\w.-]+"|&quot;#[\w.-]+&quot;)\s*\)/gi, ' ');
  if (/url\s*\(|javascript:|data:|:\/\//i.test(rest)) return false;
  // Escapes and @ rules could spell any of these.
  return !isStyle || !/url|image|src\s*\(|[\\@&]/i.test(rest);
}

/** Width by height of the root's viewBox. */
function ratioOf(attributes: string): number | null {
  const [, box = ''] = /\sviewBox\s*=\s*["']([^"']*)["']/.exec(attributes) ?? [];
  const [, , width = NaN, height = NaN] = box
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  return width > 0 && height > 0 ? width / height : null;
}
