import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { Model } from '@framegate/contract';
import { sampleHost, samplePictures, samplePoster } from '../adapters/net/sampleHost.ts';
import { createInvitationStore } from '../adapters/mongo/invitationStore.ts';
import { createNoticeStore } from '../adapters/mongo/noticeStore.ts';
import { createAttemptStore } from '../adapters/mongo/attemptStore.ts';
import { createSessionStore } from '../adapters/mongo/sessionStores.ts';
import {
  createConfirmationStore,
  createCustomerFactorStore,
} from '../adapters/mongo/siteStores.ts';
import { createSignInLinkStore } from '../adapters/mongo/signInLinkStore.ts';
import { createWallStores } from '../adapters/mongo/wallStores.ts';
import { createTeamLogStore } from '../adapters/mongo/teamLogStore.ts';
import { createAuditLog } from '../adapters/mongo/staffStores.ts';
import { actor } from '../adapters/system/actor.ts';
import { createTotp } from '../adapters/system/totp.ts';
import { inputsKeptMs } from '../application/generations/tidyGenerations.ts';
import type { KeyUseStore } from '../application/ports/site.ts';
import type { SiteDeps } from '../application/site/siteDeps.ts';
import { composePasswords } from './passwords.ts';
import type { App } from './app.ts';
import { composeSignOn } from './signOn.ts';
import { deadlineOf } from '../config/timeSettings.ts';
import { firstSecret } from '../domain/apiKey.ts';
import { outputUrlMs } from '../domain/mediaUrl.ts';
import type { Sample } from '../http/site/account/site.ts';
import type { DocsFacts } from '../http/site/docs/facts.ts';

/** Creates the account site's stores and mailer. */
export async function composeSite(
  app: App,
  keyUses: KeyUseStore,
): Promise<{ deps: SiteDeps; samples: Sample[] }> {
  const { config, log, secrets, random, autoApprovedHosts, work, takeUpload, fetchUrl } = app;
  const { database, clock, collections, models, runTransaction } = app.mongo;
  const pepper = firstSecret(secrets.keyPeppers);
  return {
    deps: {
      database,
      clock,
      actor,
      random,
      passwords: composePasswords(config, log, app.passwords),
      sessions: createSessionStore(models, collections),
      signInLinks: createSignInLinkStore(models, collections, runTransaction),
      invitations: createInvitationStore(models),
      confirmations: createConfirmationStore(models),
      attempts: createAttemptStore(collections),
      customerFactors: createCustomerFactorStore(models),
      totp: createTotp(config.brand.name),
      log,
      recordSignIn: app.measured.recordSignIn,
      audit: createAuditLog(models),
      keyUses,
      ...createWallStores(app.mongo),
      teamLog: createTeamLogStore(models),
      media: work.media,
      takeUpload,
      fetchUrl,
      sendMail: app.sendMail,
      notices: createNoticeStore(models, collections),
      prepareMail: app.prepareMail,
      secrets: secrets.sessionKeys,
      pepper,
      accountUrl: config.urls.account,
      consoleUrl: config.urls.console,
      brand: config.brand,
      ways: config.signIn.ways,
      signOn: await composeSignOn(app),
      signUp: config.signUp,
      signupCredits: config.signupCredits,
      everyModel: () => app.offer.everyModel(),
      autoApprovedHosts,
      customersNeedSecondFactor: config.customersNeedSecondFactor,
      realPersonNeedsSecondFactor: config.realPersonNeedsSecondFactor,
    },
    samples: config.mode === 'development' ? readSamples() : [],
  };
}

function readSamples(): Sample[] {
  return samplePictures.map((name) => ({
    name,
    url: `https://${sampleHost}/${name}`,
    poster: readFileSync(samplePoster(name)),
  }));
}

/** The models that are sold to a group and have a route. */
export function routedModels({ offer, work }: App, group: string | null): readonly Model[] {
  return offer.known(group).models.filter(({ id }) => work.routes.of(id, group).length > 0);
}

/** The name of a model of any version; its id if unknown. */
export function modelNameOf({ offer }: App, modelId: string): string {
  return offer.everyModel().find(({ id }) => id === modelId)?.displayName ?? modelId;
}

/** Facts about this gateway for its documentation; the same object until models or prices change. */
export function docsFacts(app: App): () => DocsFacts {
  let facts = factsOf(app, routedModels(app, null));
  return () => {
    const models = routedModels(app, null);
    if (!isDeepStrictEqual(models, facts.models)) facts = factsOf(app, models);
    return facts;
  };
}

function factsOf(app: App, models: readonly Model[]): DocsFacts {
  const { config } = app;
  const waiting = models.map(({ id }) => deadlineOf(config.waitingDeadline, id));
  return {
    brand: config.brand,
    baseUrl: config.urls.base,
    siteUrl: config.urls.account,
    models,
    limits: config.limits,
    openHosts: app.autoApprovedHosts,
    idempotencyKeptSeconds: config.idempotencyKeptSeconds,
    outputsKeptSeconds: config.outputsKeptSeconds,
    inputsKeptSeconds: inputsKeptMs / 1000,
    outputUrlSeconds: outputUrlMs / 1000,
    waitingSeconds: { min: Math.min(...waiting), max: Math.max(...waiting) },
    signupCredits: config.signupCredits,
    signUp: config.signUp,
    hasAccounts: true,
    links: config.links,
    mcpUrl: config.http.mcp ? config.urls.base.replace(/\/v1$/, '/mcp') : null,
  };
}
