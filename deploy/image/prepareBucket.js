import {
  CreateBucketCommand,
  HeadBucketCommand,
  PutBucketPolicyCommand,
  S3Client,
} from '@aws-sdk/client-s3';

/** A client of the S3 server with one of its keys, whose calls end after ten seconds. */
function connect(env, accessKeyId, secretAccessKey) {
  return new S3Client({
    endpoint: env.S3_ENDPOINT,
    region: env.S3_REGION ?? 'us-east-1',
    forcePathStyle: env.S3_FORCE_PATH_STYLE === 'true',
    credentials: { accessKeyId, secretAccessKey },
    requestHandler: {
      connectionTimeout: 5_000,
      requestTimeout: 10_000,
      throwOnRequestTimeout: true,
    },
  });
}

/**
 * Makes the bucket where it is missing. Where there is a root key of Versity's gateway, the key of the
 * gateway becomes a user of its own there, who may read, write and delete files of this bucket and
 * nothing else.
 * @param env The environment of prepare.js.
 * @param say Takes a line for the operator.
 * @throws Error of the server, or of the way to it.
 */
export async function makeBucket(env, say) {
  const { S3_BUCKET: Bucket, S3_ACCESS_KEY_ID: user, S3_SECRET_ACCESS_KEY: secret } = env;
  const { S3_ROOT_ACCESS_KEY_ID: root = '', S3_ROOT_SECRET_ACCESS_KEY: rootSecret } = env;
  const client = root === '' ? connect(env, user, secret) : connect(env, root, rootSecret);
  try {
    await makeWhereMissing(client, Bucket, say);
    if (root === '') return;
    await makeUser(client, env.S3_ENDPOINT, user, secret);
    await client.send(new PutBucketPolicyCommand({ Bucket, Policy: policy(user, Bucket) }));
    say(`user ${user} may read, write and delete files of the bucket ${Bucket}`);
  } finally {
    client.destroy();
  }
}

async function makeWhereMissing(client, Bucket, say) {
  try {
    await client.send(new HeadBucketCommand({ Bucket }));
  } catch (error) {
    if (error.$metadata?.httpStatusCode !== 404) throw error;
    await client.send(new CreateBucketCommand({ Bucket }));
    say(`bucket ${Bucket} made`);
  }
}

/** The rights in docs/operating/storage.md, Media store. */
function policy(user, bucket) {
  const allow = (Action, Resource) => ({
    Effect: 'Allow',
    Principal: { AWS: user },
    Action,
    Resource,
  });
  const files = ['s3:GetObject', 's3:PutObject', 's3:DeleteObject'];
  const arn = `arn:aws:s3:::${bucket}`;
  const Statement = [allow(files, `${arn}/*`), allow(['s3:ListBucket'], arn)];
  return JSON.stringify({ Version: '2012-10-17', Statement });
}

/** Makes a user of Versity's gateway, or gives the one who is there this secret. */
async function makeUser(client, endpoint, name, secret) {
  const [access, hidden] = [name, secret].map(escapeXml);
  const made = await ask(client, endpoint, '/create-user', {}, [
    `<Account><Access>${access}</Access><Secret>${hidden}</Secret><Role>user</Role>`,
    '<UserID>0</UserID><GroupID>0</GroupID><ProjectID>0</ProjectID></Account>',
  ]);
  if (made === 201) return;
  if (made !== 409) throw new Error(`the S3 server refused a user with status ${made}`);
  const changed = await ask(client, endpoint, '/update-user', { access: name }, [
    `<MutableProps><Secret>${hidden}</Secret><Role>user</Role></MutableProps>`,
  ]);
  if (changed !== 200) throw new Error(`the S3 server refused a new secret with status ${changed}`);
}

/** A call that Versity has in addition to S3's own, signed as they are. @returns Its status. */
async function ask(client, endpoint, path, query, xml) {
  const { protocol, hostname, port, host } = new URL(endpoint);
  const signer = await client.config.signer();
  const body = xml.join('');
  const { headers } = await signer.sign({
    ...{ method: 'PATCH', protocol, hostname, path, query, body, headers: { host } },
    ...(port !== '' && { port: Number(port) }),
  });
  const url = new URL(path, endpoint);
  url.search = new URLSearchParams(query).toString();
  const signal = AbortSignal.timeout(10_000);
  const response = await fetch(url, { method: 'PATCH', headers, body, signal });
  await response.arrayBuffer();
  return response.status;
}

const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };
const escapeXml = (text) => text.replace(/[&<>"']/g, (sign) => entities[sign]);
