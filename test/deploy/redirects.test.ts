import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { readText } from './support/deployFiles.ts';

/*
 * A client with an http URL has sent its key in clear text. A redirect would hide that, so the proxies' files lead
 * pages to https, and not the API.
 */

/** Whether the file's server for http leads a path to https. */
const leads: Record<string, (path: string) => boolean> = {
  nginx(path) {
    const [, http = ''] = /listen 80;(.*?)\n}/s.exec(readText('deploy/nginx/framegate.conf')) ?? [];
    const [, refused = ''] = /location ~ (\S+) \{\s*return 403;/.exec(http) ?? [];
    return http.includes('return 301') && !new RegExp(refused).test(path);
  },
  caddy(path) {
    const file = readText('deploy/caddy/Caddyfile');
    expect(file).toContain('auto_https disable_redirects');
    const [, http = ''] = /\nhttp:\/\/ \{(.*?)\n\}/s.exec(file) ?? [];
    const refused = /@api path (.*)/.exec(http)?.[1]?.split(' ') ?? [];
    expect(http).toMatch(/handle @api \{\s*respond 403/);
    const isRefused = refused.some((each) =>
      each.endsWith('*') ? path.startsWith(each.slice(0, -1)) : path === each,
    );
    return http.includes('redir https://') && !isRefused;
  },
  traefik(path) {
    const { entryPoints } = parse(readText('deploy/traefik/traefik.yaml')) as {
      entryPoints: { web: object };
    };
    expect(entryPoints.web).not.toHaveProperty('http');
    const { http } = parse(readText('deploy/traefik/framegate.yaml')) as {
      http: { routers: Record<string, { rule: string; entryPoints: string[] }> };
    };
    const rules = Object.values(http.routers).filter((each) => each.entryPoints.includes('web'));
    return rules.some(({ rule }) => {
      const prefixes = [...rule.matchAll(/!Path(?:Prefix)?\(`([^`]+)`\)/g)].map(([, each]) => each);
      return !prefixes.some((each) => path.startsWith(each ?? ''));
    });
  },
};

test.each(Object.keys(leads))('%s redirects pages to https, but not the API', (proxy) => {
  const paths = ['/', '/studio', '/staff', '/v1', '/v1/videos', '/mcp'];
  expect(paths.filter((path) => leads[proxy]?.(path))).toEqual(['/', '/studio', '/staff']);
});
