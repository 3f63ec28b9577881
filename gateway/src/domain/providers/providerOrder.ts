import type { ImageParameters, VideoParameters } from '@framegate/contract';
import type { Attempt } from '../generations/attempt.ts';
import { csvLine, escapeFormula } from '../text/text.ts';
import { isoTime } from '../time/isoTime.ts';
import { chargeOf, formatMicros } from './cost.ts';

/** One order at a provider: an attempt with its generation. */
export interface ProviderOrder {
  generationId: string;
  /** Framegate's model id. */
  model: string;
  parameters: VideoParameters | ImageParameters;
  attempt: Pick<
    Attempt,
    | 'number'
    | 'provider'
    | 'model'
    | 'startedAt'
    | 'key'
    | 'keyPrint'
    | 'taskId'
    | 'outcome'
    | 'isFree'
    | 'cost'
    | 'charged'
    | 'reported'
  >;
}

const columns = [
  'time',
  'generation_id',
  'attempt',
  'model',
  'provider',
  'provider_model',
  'task_id',
  'key',
  'key_fingerprint',
  'seconds',
  'images',
  'resolution',
  'audio',
  'outcome',
  'charge',
  'currency',
  'estimate',
  'reported_cost',
  'reported',
];

/** The header of orders as CSV (RFC 4180), with its line end. */
export const orderCsvHeading = csvLine(columns);

/** An order as a line of CSV, with its line end; unknown values give empty cells. */
export function orderCsvLine({ generationId, model, parameters, attempt }: ProviderOrder): string {
  const { cost, charged } = attempt;
  const isVideo = 'duration_seconds' in parameters;
  return csvLine(
    [
      isoTime(attempt.startedAt),
      generationId,
      attempt.number,
      model,
      attempt.provider,
      attempt.model,
      attempt.taskId,
      attempt.key,
      attempt.keyPrint,
      isVideo ? parameters.duration_seconds : undefined,
      isVideo ? undefined : parameters.n,
      parameters.resolution,
      isVideo ? (parameters.generate_audio ? 'yes' : 'no') : undefined,
      attempt.outcome,
      chargeOf(attempt),
      (charged ?? cost)?.currency,
      cost && formatMicros(cost.micros),
      charged && formatMicros(charged.micros),
      attempt.reported,
    ].map((value) => escapeFormula(String(value ?? ''))),
  );
}
