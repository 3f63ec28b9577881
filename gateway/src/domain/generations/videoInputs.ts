import type {
  CreateVideoBody,
  InputRole,
  InputType,
  Problem,
  VideoInputBody,
  VideoMode,
  VideoModel,
} from '@framegate/contract';

/** An input with its effective role. */
export interface EffectiveInput {
  type: InputType;
  url: string;
  role: InputRole;
}

/** The roles of each mode, the default first. */
const rolesByMode: Readonly<Record<VideoMode, readonly InputRole[]>> = {
  'text-to-video': [],
  'image-to-video': ['first_frame', 'last_frame'],
  'multimodal-to-video': ['reference'],
};

/** The inputs in the order sent; those without a role get the mode's default. */
export function effectiveVideoInputs(body: CreateVideoBody): EffectiveInput[] {
  const usual = rolesByMode[body.mode][0] ?? 'reference';
  return (body.inputs ?? []).map(({ type, url, role = usual }) => ({ type, url, role }));
}

/** All conflicts of the inputs with the mode or the model. */
export function videoInputProblems(model: VideoModel, body: CreateVideoBody): Problem[] {
  const inputs = body.inputs ?? [];
  if (body.mode === 'text-to-video') return textProblems(inputs);
  const roles = inputs.flatMap((input, index) => roleProblems(body.mode, input, index));
  const rest =
    body.mode === 'image-to-video'
      ? frameProblems(model, effectiveVideoInputs(body))
      : referenceProblems(model, inputs);
  return [...roles, ...rest];
}

function textProblems(inputs: readonly VideoInputBody[]): Problem[] {
  if (inputs.length === 0) return [];
  const message = 'text-to-video takes no inputs. Omit them, or use another mode.';
  return [{ param: 'inputs', code: 'not_allowed', message }];
}

function roleProblems(mode: VideoMode, input: VideoInputBody, index: number): Problem[] {
  if (input.role === undefined || rolesByMode[mode].includes(input.role)) return [];
  const message = `${mode} takes the role ${rolesByMode[mode].join(' or ')}.`;
  return [{ param: `inputs[${index}].role`, code: 'invalid_value', message }];
}

function frameProblems(model: VideoModel, inputs: readonly EffectiveInput[]): Problem[] {
  const problems: Problem[] = [];
  const takenRoles = new Set<InputRole>();
  for (const [index, { type, role }] of inputs.entries()) {
    if (type !== 'image') {
      const message = 'image-to-video takes images only.';
      problems.push({ param: `inputs[${index}].type`, code: 'invalid_value', message });
    }
    if (takenRoles.has(role) && role !== 'reference') {
      const message = `There is already a ${role}. Send one first_frame and at most one last_frame.`;
      problems.push({ param: `inputs[${index}].role`, code: 'too_many', message });
    }
    takenRoles.add(role);
  }
  if (!takenRoles.has('first_frame')) {
    const message = 'image-to-video needs one image with the role first_frame.';
    problems.push({ param: 'inputs', code: 'required', message });
  }
  const { maxCount } = model.inputs.image;
  if (takenRoles.has('last_frame') && maxCount < 2) {
    const message = `${model.id} takes no last_frame.`;
    problems.push({ param: 'inputs', code: 'not_supported', message });
  }
  return problems;
}

function referenceProblems(model: VideoModel, inputs: readonly VideoInputBody[]): Problem[] {
  const problems: Problem[] = [];
  for (const type of ['image', 'video', 'audio'] as const) {
    const count = inputs.filter((input) => input.type === type).length;
    const { maxCount } = model.inputs[type];
    if (count > maxCount) {
      const message = `${model.id} takes at most ${maxCount} inputs of type ${type}; you sent ${count}.`;
      problems.push({ param: 'inputs', code: 'too_many', message });
    }
  }
  if (!inputs.some((input) => input.type !== 'audio')) {
    const message = 'multimodal-to-video needs at least one image or video.';
    problems.push({ param: 'inputs', code: 'required', message });
  }
  return problems;
}
