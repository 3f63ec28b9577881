import type { Router } from '@koa/router';
import type { Log } from '@framegate/contract';
import type { WorkSlots } from '../../../application/workKinds.ts';
import { does } from '../../atWork.ts';
import { type HttpMiddleware, type RequestState, staticResponse } from '../../context.ts';
import { htmlType } from '../../pages/document.ts';
import type { DocsFacts } from '../docs/facts.ts';
import { fileResponses, type HeldFile } from '../fileResponses.ts';
import type { ClientFile } from './clientPackages.ts';
import { clientsMarkdown, clientsPage } from './clientsPage.ts';
import { clientPath } from './clientTools.ts';

const checksumsPath = clientPath('SHA256SUMS');

/**
 * The packages of this gateway, and the page that lists them.
 * @param deps.page Renders a page again when the facts change.
 * @param deps.pageHeaders Headers of the documentation's pages.
 */
export function addClientRoutes(
  router: Router<RequestState>,
  deps: {
    clients: readonly ClientFile[];
    page: (render: (docs: DocsFacts) => HttpMiddleware) => HttpMiddleware;
    pageHeaders: Readonly<Record<string, string>>;
    log: Pick<Log, 'warn'>;
    slots: WorkSlots;
  },
): void {
  const { clients, page, pageHeaders } = deps;
  const files = new Map<string, HeldFile>(clients.map((file) => [clientPath(file.name), file]));
  // A name contains the version, so that its file can be cached for a year; a package is saved, not shown.
  const response = fileResponses(files, deps, { 'Content-Disposition': 'attachment' });
  const sums = clients.map(({ hash, name }) => `${hash}  ${name}\n`).join('');
  router.get(
    '/clients',
    page((docs) => staticResponse(clientsPage(docs), htmlType, pageHeaders)),
  );
  router.get(
    '/clients.md',
    page((docs) => staticResponse(clientsMarkdown(docs), 'text/markdown; charset=utf-8')),
  );
  // Its name has no version, so that caches must ask again.
  const checksums = staticResponse(sums, 'text/plain; charset=utf-8');
  router.get('/clients/:file', does('download'), async (ctx, next) => {
    await (sums !== '' && ctx.path === checksumsPath ? checksums : response)(ctx, next);
  });
}
