import { randomBytes } from 'node:crypto';
import { Router } from '@koa/router';
import Koa from 'koa';
import { MongoClient, WriteConcern } from 'mongodb';

/**
 * The baseline for the gateway: Koa, the driver, one indexed findOne for a read and one five-write majority transaction
 * for a create request. No authentication, no limits, no rules.
 */
const [uri = '', port = '0'] = process.argv.slice(2);
const client = await new MongoClient(uri, {
  maxPoolSize: 50,
  writeConcern: { w: 'majority' },
}).connect();
const db = client.db();
const collection = (name: string) => db.collection<{ _id: string }>(name);
const items = collection('bare_items');
const accounts = db.collection<{ _id: string; n?: number }>('bare_accounts');

const router = new Router();
router.get('/items/:id', async (ctx) => {
  ctx.body = await items.findOne({ _id: ctx.params['id'] ?? '' });
});
router.post('/items/:account', async (ctx) => {
  const account = ctx.params['account'] ?? '';
  const _id = randomBytes(12).toString('hex');
  const record = { _id, account, status: 'queued', createdAt: new Date(), text: 'x'.repeat(200) };
  const session = client.startSession();
  try {
    await session.withTransaction(
      async () => {
        const options = { session };
        await collection('bare_keys').insertOne({ _id }, options);
        await items.insertOne(record, options);
        await accounts.updateOne(
          { _id: account },
          { $inc: { n: 1 } },
          { ...options, upsert: true },
        );
        await collection('bare_ledger').insertOne({ ...record }, options);
        await collection('bare_jobs').insertOne({ ...record }, options);
      },
      { readConcern: { level: 'snapshot' }, writeConcern: new WriteConcern('majority') },
    );
  } finally {
    await session.endSession();
  }
  ctx.status = 202;
  ctx.body = record;
});

const app = new Koa();
app.use(router.routes());
app.listen(Number(port), '127.0.0.1', () => process.send?.('ready'));
