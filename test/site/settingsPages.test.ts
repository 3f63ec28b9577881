import { expect, test } from '@jest/globals';
import { pageRights } from '../../gateway/src/http/site/account/pageRights.ts';
import { useTeam } from './support/useTeam.ts';

const world = useTeam();

test('each settings page links back to its parent page', async () => {
  const { visitor } = await world().person('owner');
  const paths = Object.keys(pageRights).flatMap(
    (route) => /^GET (\/settings\/[^:]+)$/.exec(route)?.slice(1) ?? [],
  );
  const backs = new Map<string, string | undefined>();
  for (const path of paths) {
    const page = await visitor.get(path);
    expect([path, page.path]).toEqual([path, path]);
    backs.set(path, /class="crumb"><a href="([^"]+)"/.exec(page.text)?.[1]);
  }
  for (const [path, back] of backs) {
    const above = /^\/settings\/team\//.test(path) ? '/settings/team' : '/settings/account';
    const isTop = ['/settings/account', '/settings/public-api'].includes(path);
    expect([path, back]).toEqual([path, isTop ? undefined : above]);
  }
});
