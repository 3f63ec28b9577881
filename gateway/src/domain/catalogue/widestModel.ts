import {
  catalogue,
  type Extra,
  extrasOf,
  type InputType,
  type Model,
  videoParameters,
  videoResolutions,
} from '@framegate/contract';

/**
 * The widest values that requests take: those of the built-in models, with every length and resolution of a video, and
 * every fraction and text.
 */
export function widestModel(id: string, type: Model['type']): Model {
  const same = catalogue.filter((model) => model.type === type);
  const [first] = same;
  if (first === undefined) throw new Error(`there is no built-in model of type ${type}`);
  const extras = Object.fromEntries(extrasOf(type).map((row) => [row.capability, widestOf(row)]));
  return { ...same.reduce<Model>(widenModel, { ...first, id }), extras };
}

function widestOf(row: Extra) {
  if (row.kind === 'text') return { max_length: row.maxLength };
  const { min, max } = row.range;
  return { min, max };
}

function widenModel(model: Model, other: Model): Model {
  const wide = <T>(a: readonly T[], b: readonly T[]) => [...new Set([...a, ...b])];
  const count = (type: InputType) =>
    Math.max(model.inputs[type].maxCount, other.inputs[type].maxCount);
  const both = {
    maxPromptLength: Math.max(model.maxPromptLength, other.maxPromptLength),
    inputs: {
      image: { ...model.inputs.image, maxCount: count('image') },
      video: { ...model.inputs.video, maxCount: count('video') },
      audio: { ...model.inputs.audio, maxCount: count('audio') },
    },
  };
  if (model.type === 'video' && other.type === 'video') {
    return {
      ...model,
      ...both,
      modes: wide(model.modes, other.modes),
      realPersonModes: wide(model.realPersonModes, other.realPersonModes),
      resolutions: videoResolutions,
      generateAudio: model.generateAudio || other.generateAudio,
      duration: { ...model.duration, ...videoParameters.duration_seconds.range },
    };
  }
  if (model.type === 'image' && other.type === 'image') {
    return { ...model, ...both, resolutions: wide(model.resolutions, other.resolutions) };
  }
  return model;
}
