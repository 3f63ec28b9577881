import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { hourMs } from '@framegate/contract';
import { completeSecrets } from '../../gateway/src/adapters/system/secretsFile.ts';
import { loadConfig } from '../../gateway/src/config.ts';
import { signOutputUrl } from '../../gateway/src/domain/generations/mediaUrl.ts';
import { password, signUpVerified } from '../site/support/signUpVerified.ts';
import { createVisitor, type Visitor } from '../site/support/visitor.ts';
import { type Browser, enrolStaff } from '../staff/browse.ts';
import { createTestDatabase } from '../support/database.ts';
import { startTestGateway, type TestAccount, type TestGateway } from '../support/gateway.ts';
import { faultyUri, openFailPoint } from './failPoint.ts';

const database = createTestDatabase();
let failPoint: Awaited<ReturnType<typeof openFailPoint>>;
let gateway: TestGateway;
let client: TestAccount;
let customer: Visitor;
let staff: Browser;

beforeAll(async () => {
  gateway = await startTestGateway({ ROLE: 'api', MONGODB_URI: faultyUri(database.uri) });
  failPoint = await openFailPoint(database.uri);
  client = await gateway.addAccount();
  customer = createVisitor(gateway.origin);
  await signUpVerified(customer, gateway.dataDir, 'ada@example.com');
  // Without keys, nothing is asked of their uses.
  await customer.get('/settings/public-api');
  const key = { name: 'shop', models: ['alpha-2.0-mini'], current_password: password };
  expect((await customer.post('/settings/public-api/keys', key)).status).toBe(200);
  staff = (await enrolStaff(gateway, 'support')).browser;
});
afterEach(() => failPoint.off());
afterAll(async () => {
  await failPoint.close();
  await gateway.stop();
  await database.drop();
});

const generationId = 'gen_01jd00000000000000000000ab';

/** The URL of a file that need not exist: the database is asked first. */
function fileUrl(): string {
  const config = loadConfig(gateway.env);
  const nowMs = gateway.clock.now();
  const { url } = signOutputUrl({
    mediaUrl: config.urls.media,
    signingKeys: completeSecrets(config.secrets, config.dataDir).mediaSigningKeys,
    generationId,
    index: 0,
    extension: 'mp4',
    nowMs,
    removedAt: nowMs + hourMs,
  });
  return url;
}

const edges: [string, string, () => Promise<{ status: number }>][] = [
  ['the API', 'accounts', () => client.get('/v1/credits/balance')],
  ['the API', 'generations', () => client.get(`/v1/generations/${generationId}`)],
  ['a file', 'generations', () => fetch(fileUrl())],
  ['a page of the account site', 'customerFactors', () => customer.get('/settings/account')],
  ['its sessions', 'sessions', () => customer.get('/settings/account')],
  ['its page of keys', 'keyUses', () => customer.get('/settings/public-api')],
  ['a page of the console', 'generations', () => staff.get(`/staff/generations/${generationId}`)],
  ['its sessions', 'staffSessions', () => staff.get('/staff')],
];

describe('a collection that cannot be read is answered with 503', () => {
  test.each(edges)('by %s: %s', async (_edge, collection, ask) => {
    const failCommands = ['find', 'findAndModify', 'aggregate'];
    const namespace = `${database.name}.${collection}`;
    const exceededTimeLimit = 262;
    await failPoint.set({ failCommands, namespace, errorCode: exceededTimeLimit }, 'always');
    expect((await ask()).status).toBe(503);
  });
});
