/* The contract's data and types, independent of any package. */
export * from './model.ts';
export * from './catalogue.ts';
export * from './parameters.ts';
export * from './parameterReaders.ts';
export * from './priceCredits.ts';
export * from './pricing.ts';
export * from './priceOverrides.ts';
export * from './jsonPath.ts';
export * from './nearestName.ts';
export * from './presentModel.ts';
export * from './states.ts';
export * from './detailCodes.ts';
export * from './errorCodes.ts';
export * from './failureCodes.ts';
export * from './operator/errorCodes.ts';
export * from './operator/limits.ts';
export * from './operator/scopes.ts';
export type * from './generated/wire.ts';
