import { expect } from '@jest/globals';
import { createTlsAuthority } from '../media/tlsAuthority.ts';
import { type Case, file, type Name } from './settingCase.ts';

const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };
const redirectKey = 'a-key-that-the-edge-knows-as-well-0';
const signing = createTlsAuthority().issueForContent('Example Media');
const s3 = { MEDIA_STORE: 's3', S3_BUCKET: 'media' };

/** Settings of the services next to the gateway: media store, email and traces. */
export const neighbourCases = {
  MEDIA_STORE: {
    value: 'disk',
    read: (c) => c.mediaStore,
    gives: { kind: 'disk', folder: '/srv/.framegate/media' },
    refused: 'tape',
  },
  POSTERS: { value: 'images', read: (c) => c.posters, gives: ['image'], refused: 'yes' },
  C2PA_CERT: {
    with: { C2PA_KEY: file('c2pa.key', signing.key) },
    value: file('c2pa.pem', signing.cert),
    read: (c) => c.provenance,
    gives: { certificates: signing.cert.trim(), key: signing.key.trim() },
    refused: '/none/c2pa.pem',
  },
  C2PA_KEY: {
    with: { C2PA_CERT: file('c2pa.pem', signing.cert) },
    value: file('c2pa.key', signing.key),
    read: (c) => c.provenance?.key,
    gives: signing.key.trim(),
    refused: '/none/c2pa.key',
  },
  MEDIA_DELIVERY: {
    value: 'accel',
    read: (c) => c.mediaDelivery,
    gives: { by: 'accel', path: null, folder: '/srv/.framegate/media' },
    refused: 'mail',
  },
  MEDIA_ACCEL_PATH: {
    with: { MEDIA_DELIVERY: 'accel' },
    value: '/stored',
    read: (c) => c.mediaDelivery,
    gives: { by: 'accel', path: '/stored', folder: '/srv/.framegate/media' },
    refused: 'stored/',
  },
  MEDIA_REDIRECT_URL: {
    with: { MEDIA_DELIVERY: 'redirect', MEDIA_REDIRECT_KEY: redirectKey },
    value: 'https://cdn.example/files/',
    read: (c) => c.mediaDelivery,
    gives: { by: 'redirect', to: { url: 'https://cdn.example/files', secret: redirectKey } },
    refused: 'cdn.example',
  },
  MEDIA_REDIRECT_KEY: {
    with: { MEDIA_DELIVERY: 'redirect', MEDIA_REDIRECT_URL: 'https://cdn.example' },
    value: redirectKey,
    read: (c) => c.mediaDelivery,
    gives: { by: 'redirect', to: { url: 'https://cdn.example', secret: redirectKey } },
    refused: 'short',
  },
  S3_BUCKET: {
    with: s3,
    value: 'media',
    read: (c) => c.mediaStore,
    gives: {
      kind: 's3',
      bucket: 'media',
      region: 'us-east-1',
      endpoint: null,
      prefix: null,
      credentials: null,
      forcePathStyle: false,
    },
    refused: 'my bucket',
  },
  S3_REGION: inS3('eu-central-1', 'region', 'eu central'),
  S3_ENDPOINT: inS3('https://s3.example', 'endpoint', 'ftp://s3.example'),
  S3_PREFIX: inS3('framegate/media', 'prefix', '/framegate'),
  S3_ACCESS_KEY_ID: {
    with: { ...s3, S3_SECRET_ACCESS_KEY: 'shh' },
    value: 'id',
    read: (c) => c.mediaStore,
    gives: expect.objectContaining({ credentials: { accessKeyId: 'id', secretAccessKey: 'shh' } }),
    refused: 'two words',
  },
  S3_SECRET_ACCESS_KEY: {
    with: { ...s3, S3_ACCESS_KEY_ID: 'id' },
    value: 'shh',
    read: (c) => c.mediaStore,
    gives: expect.objectContaining({ credentials: { accessKeyId: 'id', secretAccessKey: 'shh' } }),
    refused: 'two words',
  },
  S3_FORCE_PATH_STYLE: {
    with: s3,
    value: 'true',
    read: (c) => c.mediaStore,
    gives: expect.objectContaining({ forcePathStyle: true }),
    refused: 'yes',
  },
  SMTP_URL: {
    value: 'smtps://user:password@mail.example',
    read: (c) => c.mail.smtpUrl,
    gives: 'smtps://user:password@mail.example',
    refused: 'mail.example',
  },
  MAIL_FROM: {
    value: 'Studio <hello@studio.example>',
    read: (c) => c.mail.from,
    gives: 'Studio <hello@studio.example>',
    refused: 'hello',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    value: 'http://collector:4318/',
    read: (c) => c.traces,
    gives: {
      endpoint: 'http://collector:4318',
      headers: {},
      attributes: { 'service.name': 'framegate' },
      sampler: 'parentbased_always_on',
      ratio: 1,
    },
    refused: 'collector:4318',
  },
  OTEL_EXPORTER_OTLP_HEADERS: inTraces('x-key=a%20b, y=c=d', 'headers', {
    gives: { 'x-key': 'a b', y: 'c=d' },
    refused: 'a secret without a name',
  }),
  OTEL_TRACES_EXPORTER: {
    value: 'otlp',
    read: (c) => c.traces?.endpoint,
    gives: 'http://localhost:4318',
    refused: 'console',
  },
  OTEL_SDK_DISABLED: {
    with: traced,
    value: 'true',
    read: (c) => c.traces,
    gives: null,
    refused: 'yes',
  },
  OTEL_SERVICE_NAME: inTraces('media', 'attributes', {
    gives: { 'service.name': 'media' },
    refused: 'x'.repeat(201),
  }),
  OTEL_RESOURCE_ATTRIBUTES: inTraces('deployment.environment.name=test', 'attributes', {
    gives: { 'service.name': 'framegate', 'deployment.environment.name': 'test' },
    refused: 'a=%',
  }),
  OTEL_TRACES_SAMPLER: inTraces('traceidratio', 'sampler', {
    gives: 'traceidratio',
    refused: 'sometimes',
  }),
  OTEL_TRACES_SAMPLER_ARG: inTraces('0.25', 'ratio', { gives: 0.25, refused: '1.5' }),
} satisfies Partial<Record<Name, Case>>;

function inTraces(
  value: string,
  field: 'headers' | 'attributes' | 'sampler' | 'ratio',
  rest: Pick<Case, 'gives' | 'refused'>,
): Case {
  return { with: traced, value, read: (c) => c.traces?.[field], ...rest };
}

function inS3(value: string, field: string, refused: string): Case {
  return {
    with: s3,
    value,
    read: (c) => c.mediaStore,
    gives: expect.objectContaining({ [field]: value }),
    refused,
  };
}
