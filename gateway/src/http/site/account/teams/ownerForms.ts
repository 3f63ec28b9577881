import type { Router } from '@koa/router';
import type { TeamCommand } from '../../../../application/teams/team.ts';
import { redirect } from '../../../pages/context.ts';
import type { FormErrors } from '../../../pages/formErrors.ts';
import { personOf } from '../acting.ts';
import { retryForm } from '../fields.ts';
import { requireSignedIn } from '../requireSignedIn.ts';
import { teamPath } from '../settingsPaths.ts';
import { accountOf, keepNotice, type Site, type SiteContext, type SiteState } from '../site.ts';

/**
 * Registers the forms of an owner's page. Each runs its command, then shows the page with the returned notice or with
 * the errors.
 * @param path Path of the page.
 * @param show Shows the page with errors.
 */
export function addOwnerForms(
  router: Router<SiteState>,
  site: Site,
  path: string,
  show: (ctx: SiteContext, errors: FormErrors) => Promise<void>,
) {
  const gate = requireSignedIn(site, path);
  return (name: string, run: (ctx: SiteContext, command: TeamCommand) => Promise<string>) =>
    router.post(`${teamPath}/${name}`, gate, (ctx: SiteContext) =>
      retryForm(
        async () => {
          const command = { accountId: accountOf(ctx).id, by: personOf(ctx) };
          keepNotice(ctx, await run(ctx, command));
          redirect(ctx, path);
        },
        (errors) => show(ctx, errors),
      ),
    );
}
