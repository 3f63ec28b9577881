export { openRoutes, type ReplaceableRoutes, type RoutesOptions } from './openRoutes.ts';
export { RoutesFileError } from './routesFile.ts';
export { importPackage } from './aiSdk/loadAiSdk.ts';
export type { Log } from './log.ts';
export type { Connector, Network } from './network.ts';
export type { PreviewModels } from './openProvider.ts';
export type { RoutePlan } from './routePlan.ts';
export type { Combination, RouteSupport } from './routeSupport.ts';
export type * from './route.ts';
