import { describe, expect, test } from 'vitest';
import { createProxyTrust } from './trustedProxies.ts';

const proxy = '10.0.0.5';
const stranger = '198.51.100.9';

describe('proxies by address', () => {
  const trust = createProxyTrust({ ranges: ['10.0.0.0/8', '192.0.2.1/32', '2001:db8:1::/48'] });

  test.each([
    [proxy, true],
    ['::ffff:10.0.0.5', true],
    ['2001:db8:1:2::3', true],
    [stranger, false],
    ['2001:db8:2::1', false],
    ['11.0.0.1', false],
    ['', false],
  ])('a connection from %p: believed is %p', (connection, isBelieved) => {
    expect(trust.believes(connection)).toBe(isBelieved);
  });

  test.each([
    [proxy, '203.0.113.9', '203.0.113.9'],
    [proxy, '', proxy],
    ['::ffff:10.0.0.5', '', proxy],
    ['2001:db8:1::1', '2001:db8:9::9', '2001:db8:9::9'],
    // Through two of ours, and with what a caller wrote before.
    [proxy, '203.0.113.9, 192.0.2.1', '203.0.113.9'],
    [proxy, '192.0.2.77, 203.0.113.9, 192.0.2.1', '203.0.113.9'],
    [proxy, '10.0.0.1, 203.0.113.9', '203.0.113.9'],
    [proxy, '<script>, 192.0.2.1', '192.0.2.1'],
    [proxy, '10.0.0.7', '10.0.0.7'],
    [stranger, '203.0.113.9', stranger],
    [stranger, '203.0.113.9, 10.0.0.5', stranger],
    ['', '203.0.113.9', ''],
  ])('a connection from %p with %p: the caller is %p', (connection, forwarded, caller) => {
    expect(trust.callerOf(connection, forwarded)).toBe(caller);
  });
});

describe('proxies by number', () => {
  test.each([
    [0, '203.0.113.9', proxy],
    [1, '192.0.2.77, 203.0.113.9', '203.0.113.9'],
    [2, '192.0.2.77, 203.0.113.9, 192.0.2.1', '203.0.113.9'],
    [2, '203.0.113.9', '203.0.113.9'],
    [1, '', proxy],
    [1, '<script>', proxy],
  ])('%i with %p: the caller is %p', (hops, forwarded, caller) => {
    const trust = createProxyTrust({ hops });
    expect([trust.believes(proxy), trust.callerOf(proxy, forwarded)]).toEqual([hops > 0, caller]);
  });
});
