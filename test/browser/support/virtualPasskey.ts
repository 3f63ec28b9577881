import type { CDPSession, Page } from 'playwright-core';
import { freePort } from '../../support/freePort.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';

/** Starts a gateway at a host name, because browsers refuse passkeys at IP addresses. */
export async function startNamedGateway(env: Record<string, string> = {}): Promise<TestGateway> {
  const port = String(await freePort());
  const origin = `http://localhost:${port}`;
  const gateway = await startTestGateway({ ...env, PORT: port, ACCOUNT_URL: origin });
  return { ...gateway, origin };
}

/** The device of a page that keeps passkeys, in Chromium. */
export interface PasskeyDevice {
  /** Whether the person is verified, for example by a fingerprint. Otherwise the browser refuses. */
  recognise(isRecognised: boolean): Promise<void>;
  /** Whether the person touches it. The browser takes the response of the device that is touched first. */
  touch(isTouched: boolean): Promise<void>;
  /** Removes the device with its passkeys. */
  remove(): Promise<void>;
}

const sessions = new WeakMap<Page, Promise<CDPSession>>();

async function startSession(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  return session;
}

/** Adds a device whose person touches it at once. */
export async function addPasskeyDevice(page: Page): Promise<PasskeyDevice> {
  const starting = sessions.get(page) ?? startSession(page);
  sessions.set(page, starting);
  const session = await starting;
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'usb',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    async recognise(isUserVerified) {
      await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
    },
    async touch(enabled) {
      await session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
    },
    async remove() {
      await session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
    },
  };
}
