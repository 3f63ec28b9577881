import { previewInput } from '../../../application/site/madeUploads.ts';
import { PlainRefusal, Refusal } from '../../../domain/refusal.ts';
import { formOf, type Form } from '../../pages/form.ts';
import { accountOf, type Site, type SiteContext } from './site.ts';
import { examples } from './studioChoices.ts';
import { parseStudioForm, type StudioForm } from './studioForm.ts';
import { ownPicture } from './studioPrefill.ts';
import { hostProblem } from './studioProblems.ts';

/**
 * Does what a button of the form asks for: puts in an example, a sample picture or a picture of one's own,
 * empties a place, or looks at the file behind a URL, whose problem is left to the page in `inputProblems`.
 * @returns the form as it is then.
 */
export async function applyButton(
  site: Site,
  ctx: SiteContext,
  form: Form,
  button: string,
): Promise<Form> {
  const [kind, what = ''] = button.split(/:(.*)/s);
  if (kind === 'clear') return withField(form, what, '');
  const studio = parseStudioForm(form, site.models);
  if (kind === 'show') {
    await look(site, ctx, studio, what);
    return form;
  }
  if (kind === 'example') {
    const prompt = examples[studio.model.type][Number(what)];
    return prompt === undefined ? form : withField(form, 'prompt', prompt);
  }
  const url =
    kind === 'own'
      ? await ownPicture(site, ctx, what)
      : site.samples.find(({ name }) => kind === 'sample' && name === what)?.url;
  const images = studio.slots.filter(({ type }) => type === 'image');
  const slot = images.find((each) => each.url === '') ?? images.at(-1);
  return typeof url === 'string' && slot ? withField(form, slot.name, url) : form;
}

function withField(form: Form, name: string, value: string): Form {
  return formOf([...form.entries().filter(([each]) => each !== name), [name, value]]);
}

/** Looks at the file behind the URL of one place; a sample's picture is known. */
async function look(
  site: Site,
  ctx: SiteContext,
  { slots, model }: StudioForm,
  name: string,
): Promise<void> {
  const slot = slots.find((each) => each.name === name);
  if (!slot || slot.url === '' || site.samples.some(({ url }) => url === slot.url)) return;
  const { type, url } = slot;
  try {
    const { maxBytes } = model.inputs[type];
    await previewInput(site.deps, accountOf(ctx), site.addresses, { type, url, maxBytes });
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof PlainRefusal)) throw error;
    ctx.state.inputProblems = { ...ctx.state.inputProblems, [name]: problemOf(error, url) };
  }
}

function problemOf(error: Refusal | PlainRefusal, url: string): PlainRefusal {
  if (error instanceof PlainRefusal) return error;
  const isHost = error.code === 'input_host_not_approved';
  return new PlainRefusal(isHost ? hostProblem(url) : error.message, isHost ? 403 : 400);
}
