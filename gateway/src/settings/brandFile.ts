import Joi from 'joi';
import { didYouMean, messageOf } from '@framegate/contract';
import {
  type Brand,
  builtInBrand,
  contrastProblems,
  defaultOnAccent,
  type LegalLinks,
  type Logos,
  type Scheme,
  schemes,
  slugOf,
} from '../domain/brand/brand.ts';
import { maxLogoBytes, parseLogo } from '../domain/brand/logo.ts';
import { FileProblemsError, reporter } from '../domain/installation/fileProblems.ts';
import { once } from '../domain/once.ts';
import { type Language, languages } from '../domain/text/language.ts';
import { readShowpieces, showpiecesSchema } from './brandShowpieces.ts';
import { parseLink } from './setting.ts';

/** Reads a file of limited size that BRAND_FILE names. */
type ReadFile = (path: string, maxBytes: number) => Uint8Array;

/** BRAND_FILE as written by the operator. */
interface BrandFileJson {
  name: string;
  logo?: { light: string; dark?: string; icon?: string };
  colours?: Record<Scheme, { accent: string; on_accent?: string }>;
  support?: string;
  legal?: Partial<LegalLinks>;
  mail?: { name?: string; address?: string };
  languages?: Language[];
  showpieces?: unknown[];
}

/** Excludes characters that would end a header, a quoted name or the issuer of a second factor. */
const shownName = () =>
  Joi.string()
    .pattern(/^(?! )[^\p{C}:"<>\\]{1,40}(?<! )$/u)
    .messages({
      'string.empty': 'needs 1 to 40 characters',
      'string.pattern.base': 'must have 1 to 40 characters, without : " < > \\ or line breaks',
    });

const colour = () =>
  Joi.string()
    .pattern(/^#[0-9a-f]{6}$/i)
    .messages({ 'string.pattern.base': 'is not a colour such as #0f6e66' });

const link = (protocols: RegExp, allowed: string) =>
  Joi.string()
    .max(500)
    .custom((value: string, helpers) => {
      try {
        const href = parseLink(value);
        return protocols.test(href) ? href : helpers.error('link');
      } catch {
        return helpers.error('link');
      }
    })
    .messages({ link: `is not ${allowed}` });

const schemaOf = once(() => {
  const file = Joi.string().max(4096);
  const page = link(/^https?:/, 'an https or http address');
  const colours = Joi.object({ accent: colour().required(), on_accent: colour() });
  return Joi.object<BrandFileJson>({
    name: shownName().required(),
    logo: Joi.object({ light: file.required(), dark: file, icon: file }),
    colours: Joi.object({ light: colours.required(), dark: colours.required() }),
    support: link(/^(https?|mailto):/, 'an https, http or mailto address'),
    legal: Joi.object({ terms: page, privacy: page, imprint: page }),
    mail: Joi.object({
      name: shownName(),
      address: Joi.string()
        .max(254)
        .pattern(/^[^\s<>@",;:\\]+@[^\s<>@",;:\\]+$/)
        .messages({ 'string.pattern.base': 'is not an email address' }),
    }),
    languages: Joi.array()
      .items(Joi.string().valid(...languages))
      .unique()
      .min(1),
    showpieces: showpiecesSchema(),
  })
    .required()
    .prefs({ errors: { label: false, wrap: { label: false } } });
});

/** Field names, for "did you mean" hints. */
const fieldNames =
  'name logo icon colours light dark accent on_accent support legal terms privacy imprint mail address languages showpieces model picture clip'.split(
    ' ',
  );

function sentenceOf({ path, type, message, context }: Joi.ValidationErrorItem): string {
  if (type === 'object.unknown') {
    return `is not a known field${didYouMean(String(path.at(-1)), fieldNames)}`;
  }
  if (type === 'any.only') {
    const value = String(context?.['value']);
    return `must be one of ${languages.join(', ')}${didYouMean(value, languages)}`;
  }
  return message;
}

/**
 * Reads the content of BRAND_FILE.
 * @param readFile Reads a file that it names; throws an Error that completes "it …".
 * @param models Ids of the catalogue; null if unknown.
 * @throws FileProblemsError with every problem.
 */
export function parseBrandFile(
  content: unknown,
  readFile: ReadFile,
  models: readonly string[] | null,
): Brand {
  const checked = schemaOf().validate(content, { convert: false, abortEarly: false });
  const problems: string[] = [];
  const wrong = checked.error?.details ?? [];
  for (const each of wrong) reporter(problems, each.path)([], sentenceOf(each));
  const isWhole = !wrong.some(({ path }) => path.length === 0);
  const json = (isWhole ? checked.value : {}) as Partial<BrandFileJson>;
  const isValid = (...part: (string | number)[]) =>
    !wrong.some(({ path }) => part.every((each, index) => path[index] === each));
  const logo = isValid('logo') && json.logo ? logosOf(json.logo, readFile, problems) : null;
  const chosen = isValid('colours') ? coloursOf(json.colours) : builtInBrand.colours;
  for (const scheme of schemes) {
    for (const { colour: field, sentence } of contrastProblems(scheme, chosen[scheme])) {
      const name = field === 'onAccent' ? 'on_accent' : field;
      reporter(problems, ['colours', scheme, name])([], sentence);
    }
  }
  const showpieces = readShowpieces(json.showpieces, {
    models,
    readFile,
    isValid: (index, field) => isValid('showpieces', index, field),
    report: reporter(problems, ['showpieces']),
  });
  if (problems.length > 0) throw new FileProblemsError(problems);
  const { name = builtInBrand.name, legal = {}, mail = {} } = json;
  return {
    name,
    slug: slugOf(name),
    logo,
    colours: chosen,
    support: json.support ?? null,
    legal: { ...builtInBrand.legal, ...legal },
    mail: { ...builtInBrand.mail, ...mail },
    languages: json.languages ?? builtInBrand.languages,
    showpieces,
  };
}

/** Reads the logo files. @returns Null with a problem. */
function logosOf(
  named: NonNullable<BrandFileJson['logo']>,
  readFile: ReadFile,
  problems: string[],
): Logos | null {
  const read = (field: keyof typeof named) => {
    const path = named[field];
    if (path === undefined) return null;
    const result = readOne(path, readFile);
    if (!('problems' in result)) return result;
    for (const problem of result.problems) {
      reporter(problems, ['logo', field])([], `is "${path}": it ${problem}`);
    }
    return null;
  };
  const [light, dark, icon] = [read('light'), read('dark'), read('icon')];
  return light && { light, dark: dark ?? light, icon };
}

function readOne(path: string, readFile: ReadFile) {
  try {
    return parseLogo(readFile(path, maxLogoBytes));
  } catch (error) {
    return { problems: [messageOf(error)] };
  }
}

function coloursOf(json: BrandFileJson['colours']): Brand['colours'] {
  if (json === undefined) return builtInBrand.colours;
  const coloursFor = (scheme: Scheme) => {
    const { accent, on_accent: onAccent = defaultOnAccent(accent) } = json[scheme];
    return { accent: accent.toLowerCase(), onAccent: onAccent.toLowerCase() };
  };
  return { light: coloursFor('light'), dark: coloursFor('dark') };
}
