import type { Search, SearchPerform } from 'zapier-platform-core';
import { readBalance } from '../balance.ts';
import { markAsUserFacing } from '../errors.ts';
import { parseInteger } from '../inputValues.ts';
import { balanceOutputFields } from '../outputFields.ts';
import { balanceSample } from '../samples.ts';
import { beginStep } from '../step.ts';

const perform: SearchPerform = async (z, bundle) => {
  const needed = parseInteger(bundle.inputData['needed_credits']) ?? 0;
  if (!Number.isSafeInteger(needed) || needed < 0) {
    throw markAsUserFacing(
      new z.errors.HaltedError(
        'Needed Credits must be a whole number, 0 or more. Correct it in this step.',
      ),
    );
  }
  const { as_of, available, in_flight } = await readBalance(beginStep(z, bundle));
  return [
    {
      as_of,
      available_credits: available,
      credits_in_flight: in_flight,
      enough_credits: available >= needed,
    },
  ];
};

/** Reads the account's credits. */
export const findBalance = {
  key: 'find_balance',
  noun: 'Balance',
  display: {
    label: 'Find Balance',
    description: "Finds the account's credit balance.",
  },
  operation: {
    perform,
    inputFields: [
      {
        key: 'needed_credits',
        label: 'Needed Credits',
        type: 'integer',
        helpText:
          'The output Enough Credits shows whether at least this many are available. Use it in a Filter or Paths step, for example to be warned in time.',
      },
    ],
    outputFields: balanceOutputFields,
    sample: balanceSample,
  },
} satisfies Search;
