import type { Search, SearchPerform } from 'zapier-platform-core';
import { readBalance } from '../balance.ts';
import { parameterProblems } from '../checkOrder.ts';
import { markAsUserFacing, sentenceFor } from '../errors.ts';
import { modelField } from '../fields/commonFields.ts';
import { priceModelFields } from '../fields/priceFields.ts';
import { definedFields, parseChoice, parseFlag, parseInteger, parseText } from '../inputValues.ts';
import { findModel, listModels } from '../listModels.ts';
import { priceOutputFields } from '../outputFields.ts';
import { type PriceParameters, pricedParameters, priceOf } from '../price.ts';
import { priceSample } from '../samples.ts';
import { beginStep } from '../step.ts';

const perform: SearchPerform = async (z, bundle) => {
  const step = beginStep(z, bundle);
  const { inputData } = bundle;
  const model = findModel(await listModels(step), parseText(inputData['model']));
  const haltedError = (sentence: string) => markAsUserFacing(new z.errors.HaltedError(sentence));
  if (model === undefined) throw haltedError(sentenceFor('model_not_found'));
  const isVideo = model.type === 'video';
  const values = definedFields<PriceParameters>({
    resolution: parseChoice(inputData['resolution'], Object.keys(model.pricing.credits)),
    // The form may still hold values for a model of the other type.
    ...(isVideo && { duration_seconds: parseInteger(inputData['duration_seconds']) }),
    ...(isVideo && { generate_audio: parseFlag(inputData['generate_audio']) }),
    ...(!isVideo && { n: parseInteger(inputData['n']) }),
  });
  const problems = parameterProblems(model, { ...values });
  const price = priceOf(model, { ...values });
  if (problems.length > 0 || price === null) {
    throw haltedError(sentenceFor('invalid_request', problems));
  }
  const { resolution, duration_seconds, n, generate_audio } = pricedParameters(model, {
    ...values,
  });
  const { available } = await readBalance(step);
  return [
    {
      model: model.id,
      type: model.type,
      cost_credits: price,
      credits_per_unit: model.pricing.credits[resolution ?? ''],
      unit: model.pricing.per,
      units: duration_seconds ?? n,
      resolution,
      generate_audio: generate_audio ?? false,
      available_credits: available,
      enough_credits: available >= price,
    },
  ];
};

/** Returns the price of a generation without creating or charging anything. */
export const findPrice = {
  key: 'find_price',
  noun: 'Price',
  display: {
    label: 'Find Price',
    description: 'Finds the price of a video or of images.',
  },
  operation: {
    perform,
    inputFields: [modelField('model_list'), priceModelFields],
    outputFields: priceOutputFields,
    sample: priceSample,
  },
} satisfies Search;
