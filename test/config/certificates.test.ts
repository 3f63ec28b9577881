import { generateKeyPairSync } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { dayMs } from '@framegate/contract';
import { checkCertificate } from '../../gateway/src/compose/provenance.ts';
import { loadConfig } from '../../gateway/src/config.ts';
import { createTlsAuthority, type Identity } from '../media/tlsAuthority.ts';
import { file, removeFiles } from './settingCase.ts';

afterAll(removeFiles);

const authority = createTlsAuthority('Authority');
const own = authority.issueForContent('Own');
const other = authority.issueForContent('Other');
const day = (count: number) => new Date(Math.floor(Date.now() / 1000) * 1000 + count * dayMs);
const load = ({ cert, key }: Identity, more: Record<string, string> = {}) =>
  loadConfig({ C2PA_CERT: file('own.pem', cert), C2PA_KEY: file('own.key', key), ...more });
const keysOf = (modulusLength: number) => generateKeyPairSync('rsa', { modulusLength });

test.each<[why: string, Identity, problem: string]>([
  ['of another certificate', { ...own, key: other.key }, 'C2PA_KEY is .* the key of the first'],
  ['that is not a key', { ...own, key: own.cert }, 'C2PA_KEY is .* has no private key in PEM'],
  [
    'that C2PA does not allow',
    issue({ keys: keysOf(1024) }),
    'C2PA_KEY is .* RSA of at least 2048 bits',
  ],
  ['without a certificate', { ...own, cert: own.key }, 'C2PA_CERT is .* has no certificate in PEM'],
  ['of an authority', issue({ isAuthority: true }), 'C2PA_CERT is .* extended key usage'],
  ['of a web server', issue({ use: '2b06010505070301' }), 'C2PA_CERT is .* extended key usage'],
  [
    'whose chain is in disorder',
    { ...own, cert: own.cert + other.cert },
    'C2PA_CERT is .*: certificate 2 did not issue the one before it',
  ],
  [
    'with a certificate that is cut',
    { ...own, cert: own.cert.replace(/.{64}\n/, '') },
    'C2PA_CERT is .* cannot be read',
  ],
])('a key %s is refused', (_, identity, problem) => {
  expect(() => load(identity)).toThrow(new RegExp(problem));
});

function issue(wanted: Parameters<typeof authority.issueForContent>[1]): Identity {
  return authority.issueForContent('Own', wanted);
}

test('a chain up to its authority is accepted, and neither half without the other', () => {
  const { provenance } = load({ ...own, cert: own.cert + authority.cert });
  expect(provenance?.certificates).toBe((own.cert + authority.cert).trim());
  expect(() => load(own, { C2PA_KEY: '' })).toThrow('C2PA_KEY is not set');
  expect(() => load(own, { C2PA_CERT: '' })).toThrow('C2PA_CERT is not set');
});

test('a process that makes no results does not read the key', () => {
  const paths = { C2PA_CERT: '/none', C2PA_KEY: '/none' };
  expect(loadConfig({ ROLE: 'api', ...paths }).provenance).toBeNull();
  expect(() => loadConfig({ ROLE: 'worker', ...paths })).toThrow('there is no such file');
});

test('a valid certificate is accepted, and one that ends within 30 days raises a warning', () => {
  const warnings: object[] = [];
  const log = { warn: (fields: object) => warnings.push(fields) } as never;
  const clock = { now: () => Date.now(), skewMs: () => 0, wrongClock: () => null };
  const start = (identity: Identity) => {
    checkCertificate({ config: load(identity), clock, log });
  };
  const past = issue({ validFrom: day(-9), validTo: day(-1) });
  expect(() => {
    start(past);
  }).toThrow(`C2PA_CERT: the certificate of CN=Own expired on ${day(-1).toISOString()}.`);
  expect(() => {
    start(issue({ validFrom: day(2), validTo: day(90) }));
  }).toThrow(`is not valid before ${day(2).toISOString()}`);
  start(issue({ validTo: day(90) }));
  expect(warnings).toEqual([]);
  start(issue({ validTo: day(29) }));
  expect(warnings).toEqual([{ problem: expect.stringContaining('expired on') }]);
});
