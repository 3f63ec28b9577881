import {
  capabilitiesOf,
  type Extra,
  extrasOf,
  inputTypes,
  maxLengthOf,
  type Model,
  rangeOf,
} from '@framegate/contract';

/** A value that a model offers but none of its routes ever sends. */
export interface UnsentValue {
  model: string;
  /** The field of its capabilities. */
  field: string;
  /** The value, or the part of a range. */
  value: string;
}

type FieldValue = readonly [field: string, value: string];

/**
 * The values of a model that customers cannot order, because no route sends them.
 * @param offer The part of a model that its routes make: what is offered, ordered and shown; null for nothing.
 */
export function unsentValues(model: Model, offer: (model: Model) => Model | null): UnsentValue[] {
  const offered = offer(model);
  if (offered === null) return [];
  const [sells, sends] = [capabilitiesOf(model), capabilitiesOf(offered)];
  const lists = ['modes', 'resolutions', 'aspect_ratios', 'real_person_modes'] as const;
  const unsent: FieldValue[] = [
    ...lists.flatMap((name) => {
      const sentValues: readonly string[] = sends[name];
      return sells[name]
        .filter((each) => !sentValues.includes(each))
        .map((each): FieldValue => [name, each]);
    }),
    ...unsentSeconds(model, offer).map((value): FieldValue => ['duration_seconds', value]),
    ...(sells.generate_audio && !sends.generate_audio ? [['generate_audio', 'true'] as const] : []),
    ...inputTypes.flatMap((type): FieldValue[] => {
      const [stated, sent] = [sells.inputs[type].max_count, sends.inputs[type].max_count];
      return stated > sent ? [[`inputs.${type}.max_count`, `more than ${sent}`]] : [];
    }),
    ...extrasOf(model.type).flatMap((row) =>
      unsentExtra(row, sells, sends).map((value): FieldValue => [row.capability, value]),
    ),
  ];
  return unsent.map(([field, value]) => ({ model: model.id, field, value }));
}

/** Lengths in seconds, in ranges: an offer states only the shortest and the longest. */
function unsentSeconds(model: Model, offer: (model: Model) => Model | null): string[] {
  if (model.type === 'image') return [];
  const { min, max } = model.duration;
  const lengths = Array.from({ length: max - min + 1 }, (_, index) => min + index);
  const unsent = lengths.filter(
    (each) => offer({ ...model, duration: { min: each, max: each, default: each } }) === null,
  );
  const starts = unsent.filter((each) => !unsent.includes(each - 1));
  const ends = unsent.filter((each) => !unsent.includes(each + 1));
  return starts.map((start, index) =>
    start === ends[index] ? `${start}` : `${start} to ${ends[index]}`,
  );
}

type CapabilityBounds = Parameters<typeof rangeOf>[1];

function unsentExtra(row: Extra, sells: CapabilityBounds, sends: CapabilityBounds): string[] {
  if (row.kind === 'text') {
    const [stated, sent] = [maxLengthOf(row, sells) ?? 0, maxLengthOf(row, sends) ?? 0];
    return stated > sent ? [`more than ${sent} characters`] : [];
  }
  const [stated, sent] = [rangeOf(row, sells), rangeOf(row, sends)];
  if (stated === null) return [];
  if (sent === null) return [`${stated.min} to ${stated.max}`];
  return [
    ...(stated.min < sent.min ? [`below ${sent.min}`] : []),
    ...(stated.max > sent.max ? [`above ${sent.max}`] : []),
  ];
}
