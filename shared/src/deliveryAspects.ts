/** The aspects in which a delivery can differ from its order. */
export const deliveryAspects = [
  'size',
  'ratio',
  'length',
  'sound',
  'files',
  'type',
  'flat',
  'still',
  'equal',
  'rate',
] as const;

/** One of these aspects. */
export type DeliveryAspect = (typeof deliveryAspects)[number];
