export { createVideoSchema } from './createVideo.ts';
export { createImageSchema } from './createImage.ts';
export { estimateCostSchemas, type EstimateCostBody } from './estimateCost.ts';
export { generationSchema } from './generation.ts';
export { modelListSchema } from './modelList.ts';
export { creditBalanceSchema } from './creditBalance.ts';
export { errorSchema } from './error.ts';
export { validateBody, validateQuery } from './validateBody.ts';
export type { ValidationResult } from './validateBody.ts';
