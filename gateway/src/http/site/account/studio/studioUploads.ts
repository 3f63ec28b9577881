import type { Router } from '@koa/router';
import { refuseBeyond } from '../../../../application/allowances.ts';
import type { App } from '../../../../application/app.ts';
import { receiveUpload } from '../../../../application/studio/uploads.ts';
import { type Upload, uploadUrl } from '../../../../domain/generations/uploads.ts';
import { isId } from '../../../../domain/ids.ts';
import { Refusal } from '../../../../domain/refusal.ts';
import { isInternalCode } from '../../../../domain/refusalCodes.ts';
import { does } from '../../../atWork.ts';
import { allowSlowRequest } from '../../../connections.ts';
import { serveFile } from '../../../media/serveFile.ts';
import { type Form, formOf, maxFormBytes, parseMultipart } from '../../../pages/form.ts';
import { type FormErrors, formErrors } from '../../../pages/formErrors.ts';
import { requireSignedIn } from '../requireSignedIn.ts';
import { accountOf, type Site, type SiteContext, type SiteState } from '../site.ts';

/** Maximum size of a form with files, in bytes: a video and some pictures. */
const maxBytes = 64_000_000;

/** Megabytes of forms per account, process and minute: five of the largest forms. */
const formMegabytesPerMinute = 320;

/** Names of file fields: `file.` and the name of the input's field; `add` is a picture for a form without inputs. */
const fileField = /^file\.((?:add|first_frame|last_frame|(image|video|audio)_\d{1,2}))$/;

/**
 * Reads the studio's form with its files. Each file becomes an upload of the account, with its URL in the
 * input's field. Problems of files are stored in `inputProblems`.
 */
export function receiveUploads({ deps }: Site) {
  const { publicUrls, allowances } = deps;
  return async (ctx: SiteContext, requireToken: (form: Form) => void): Promise<Form> => {
    if (ctx.path !== '/studio') throw new Refusal('unsupported_media_type');
    const { account } = ctx.state;
    const bytes = Number(ctx.req.headers['content-length'] ?? maxBytes);
    // Small forms have the limits of any other form, so that a draft survives a sign-in.
    if (bytes > maxFormBytes) takeMegabytes(allowances, account, bytes / 1_000_000);
    const urls = new Map<string, string>();
    const problems: Record<string, Required<FormErrors>> = {};
    ctx.state.inputProblems = problems;
    const form = await parseMultipart(
      ctx.req,
      account ? maxBytes : maxFormBytes,
      async ({ name, data, fields, signal }) => {
        requireToken(fields);
        const [, field, type = 'image'] = fileField.exec(name) ?? [];
        if (field === undefined || account?.status !== 'active') return;
        allowSlowRequest(ctx.req);
        try {
          const target = { accountId: account.id, type: type as 'image' | 'video' | 'audio' };
          urls.set(
            field,
            uploadUrl(publicUrls.mediaUrl, await receiveUpload(deps, target, data, signal)),
          );
        } catch (error) {
          if (!(error instanceof Refusal) || !isOfOneFile(error)) throw error;
          problems[field] = formErrors(error);
          if (error.retryAfterSeconds !== undefined) {
            ctx.set('Retry-After', String(error.retryAfterSeconds));
          }
        }
      },
    );
    const others = form.entries().filter(([name]) => !urls.has(name));
    return formOf([...others, ...urls]);
  };
}

/**
 * Whether a problem concerns only one file of a form, so that the others are still read: not a slow upload, nor a
 * suspended account.
 */
const isOfOneFile = ({ code }: Refusal) => isInternalCode(code) && code !== 'file_too_slow';

/**
 * Takes the size of a form from the account's allowance before reading it.
 * @throws Refusal without a sign-in; Refusal `rate_limited`.
 */
function takeMegabytes(
  allowances: App['allowances'],
  account: SiteState['account'],
  megabytes: number,
): void {
  if (account === null) throw new Refusal('files_signed_out');
  const kind = 'form-megabytes';
  const max = formMegabytesPerMinute;
  refuseBeyond(kind, max, allowances.take(account.id, kind, max, megabytes));
}

/** Finds an upload of the signed-in account; null for any other id. */
export async function findUpload(
  { deps }: Site,
  ctx: SiteContext,
  id: string,
): Promise<Upload | null> {
  const upload = isId('upl', id) ? await deps.database.uploads.find(id) : null;
  return upload?.accountId === accountOf(ctx).id ? upload : null;
}

/** Serves previews of uploads to their account. */
export function addUploadPreviews(router: Router<SiteState>, site: Site): void {
  router.get(
    '/studio/uploads/:id',
    does('download'),
    requireSignedIn(site),
    async (ctx: SiteContext) => {
      const upload = await findUpload(site, ctx, ctx.params['id'] ?? '');
      const key = upload?.previewKey ?? null;
      const missing = () => {
        throw new Refusal('not_found');
      };
      if (key === null) {
        missing();
        return;
      }
      await serveFile(ctx, site.files, {
        key,
        cacheControl: 'private, max-age=3600',
        describe: () => ({ 'Content-Type': 'image/webp' }),
        answerMissing: missing,
      });
    },
  );
}
