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

export type DeliveryAspect = (typeof deliveryAspects)[number];
