import { askForCredits } from '../../../../application/credits/creditRequests.ts';
import { makeInputPreview, takeFrame } from '../../../../application/studio/madeUploads.ts';
import { uploadUrl } from '../../../../domain/generations/uploads.ts';
import { Refusal } from '../../../../domain/refusal.ts';
import { describeRefusal } from '../../../../texts/describeRefusal.ts';
import { text } from '../../../../texts/text.ts';
import type { Form } from '../../../pages/form.ts';
import type { FormErrors } from '../../../pages/formErrors.ts';
import { statusOf } from '../../../respondToErrors.ts';
import { personOf } from '../acting.ts';
import { describeCreditRequest } from '../creditsWay.ts';
import { findOwn } from '../generations/generationStage.ts';
import { accountOf, type Site, type SiteContext, takesFrames } from '../site.ts';
import { examplePrompt } from './studioChoices.ts';
import { parseStudioForm, type StudioForm } from './studioForm.ts';
import {
  findOwnPicture,
  formLike,
  withField,
  withFirstFrame,
  withPicture,
  withReference,
} from './studioPrefill.ts';
import { missingCredits } from './studioPrice.ts';
import { hostProblem } from './studioProblems.ts';

/** The form after a button, and a sentence about a change outside the customer's view. */
export interface ButtonResult {
  form: Form;
  note?: string;
}

type ButtonAction = (
  site: Site,
  ctx: SiteContext,
  form: Form,
  value: string,
) => ButtonResult | Promise<ButtonResult>;

/** Buttons by the word before the colon of their value. */
const buttons: Readonly<Record<string, ButtonAction>> = {
  clear: (_site, _ctx, form, name) => ({ form: withField(form, name, '') }),
  model: (_site, _ctx, form, id) => ({ form: withField(form, 'model', id) }),
  async show(site, ctx, form, name) {
    await makePreview(site, ctx, parseStudioForm(form, modelsFor(site, ctx)), name);
    return { form };
  },
  example(site, ctx, form, index) {
    const { model } = parseStudioForm(form, modelsFor(site, ctx));
    const prompt = examplePrompt(model.type, Number(index));
    return { form: prompt === null ? form : withField(form, 'prompt', prompt) };
  },
  sample(site, ctx, form, name) {
    const url = site.samples.find((each) => each.name === name)?.url;
    return { form: url === undefined ? form : withPicture(modelsFor(site, ctx), form, url) };
  },
  async own(site, ctx, form, id) {
    const url = await findOwnPicture(site, ctx, id);
    return { form: url === null ? form : withPicture(modelsFor(site, ctx), form, url) };
  },
  async animate(site, ctx, form, id) {
    const url = await findOwnPicture(site, ctx, id);
    if (url === null) throw new Refusal('file_not_found');
    const note = text('studio.isFirstFrame');
    return { form: withFirstFrame(modelsFor(site, ctx), form, url), note };
  },
  async reference(site, ctx, form, id) {
    const url = await findOwnPicture(site, ctx, id);
    if (url === null) throw new Refusal('file_not_found');
    return {
      form: withReference(modelsFor(site, ctx), form, url),
      note: text('studio.isReference'),
    };
  },
  async variation(site, ctx, form, id) {
    const generation = await findOwn(site, ctx, id);
    if (!generation) return { form };
    return {
      form: formLike(generation),
      note: text('studio.isVariation'),
    };
  },
  async ask(site, ctx, form) {
    const missing = missingCredits(ctx, site, parseStudioForm(form, modelsFor(site, ctx)));
    if (missing === 0) return { form };
    const request = { by: personOf(ctx).id, missing, message: '' };
    const account = await askForCredits(site.deps, accountOf(ctx), request);
    ctx.state.account = account;
    return { form, note: describeCreditRequest(account) };
  },
  async continue(site, ctx, form, id) {
    const generation = await findOwn(site, ctx, id);
    if (!generation || !takesFrames(site) || generation.type !== 'video') return { form };
    if (accountOf(ctx).status !== 'active') throw new Refusal('account_suspended');
    const url = uploadUrl(
      site.deps.publicUrls.mediaUrl,
      await takeFrame(site.deps, generation, 'last'),
    );
    const note = text('studio.isContinued');
    return { form: withFirstFrame(modelsFor(site, ctx), formLike(generation), url), note };
  },
};

const modelsFor = (site: Site, ctx: SiteContext) => site.modelsOf(accountOf(ctx));

/**
 * Applies a button of the studio: inserts an example, a picture or the request of an earlier generation, clears an
 * input, or previews the file of a URL. Problems of such a file are stored in `inputProblems`.
 * @param button Its value, such as `animate:gen_….1`; an unknown one changes nothing.
 * @throws Refusal if the picture is unavailable.
 */
export async function applyButton(
  site: Site,
  ctx: SiteContext,
  form: Form,
  button: string,
): Promise<ButtonResult> {
  const [kind = '', value = ''] = button.split(/:(.*)/s);
  const apply = Object.hasOwn(buttons, kind) ? buttons[kind] : undefined;
  return apply ? apply(site, ctx, form, value) : { form };
}

/** Previews the file of one input, unless it is a sample. */
async function makePreview(
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
    await makeInputPreview(site.deps, accountOf(ctx), site.deps.publicUrls, {
      type,
      url,
      maxBytes,
    });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    ctx.state.inputProblems = { ...ctx.state.inputProblems, [name]: urlErrors(error, url) };
  }
}

function urlErrors(error: Refusal, url: string): Required<FormErrors> {
  const isHost = error.code === 'input_host_not_approved';
  const message = isHost ? hostProblem(url) : describeRefusal(error);
  return { fields: {}, message, status: statusOf(error) };
}
