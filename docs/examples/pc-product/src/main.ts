import { Router } from '@koa/router';
import Koa from 'koa';
import { FramegateOperator, OperatorError } from '@framegate/operator';
import { openData } from './data.ts';
import { keepBooks, keepNotices } from './feeds.ts';
import { forever } from './forever.ts';
import { addPaymentEvents } from './paymentEvents.ts';
import { setting } from './setting.ts';
import { settlePayments } from './settle.ts';
import { addShop } from './shop.ts';
import { addSignIn } from './signIn.ts';

const url = setting('SHOP_URL');
const secret = setting('SHOP_SECRET');
const provider = { url: setting('PAYMENTS_URL'), key: setting('PAYMENTS_KEY') };
const data = await openData(setting('MONGODB_URI'));
// The client reads FRAMEGATE_OPERATOR_URL and FRAMEGATE_OPERATOR_KEY.
const operator = new FramegateOperator({ retryBudgetMs: 20_000 });

const ending = new AbortController();
const { signal } = ending;
const app = new Koa({ keys: [secret] });
app.use(async (ctx, next) => {
  // Open keep-alive connections would keep a stopping process alive.
  if (signal.aborted) ctx.set('connection', 'close');
  try {
    await next();
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    // For example, 402 for too few credits. The form can be sent again: it takes effect once.
    const status = 'status' in error && !error.retryable ? Number(error.status) : 503;
    ctx.throw(status, error.message, { expose: true });
  }
});
const router = new Router();
addSignIn(router, { data, operator, secret, url });
addShop(router, data, operator, provider);
addPaymentEvents(router, data, setting('PAYMENTS_SECRET'));
app.use(router.routes()).use(router.allowedMethods());

const works = [
  forever('payments', () => settlePayments(data, operator, signal), signal),
  forever('books', () => keepBooks(data, operator, signal), signal),
  forever('notices', () => keepNotices(data, operator, signal), signal),
];
const server = app.listen(Number(new URL(url).port || 3000), () => {
  console.log(`The shop is at ${url}`);
});

process.once('SIGTERM', () => {
  ending.abort();
  server.close(() => {
    void Promise.all(works).then(() => data.close());
  });
  setTimeout(() => server.closeAllConnections(), 10_000).unref();
});
