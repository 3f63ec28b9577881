import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  addressGroup,
  countedGroups,
  createProxyTrust,
  isNearHost,
  isPublicAddress,
} from './addresses.ts';

describe('addressGroup', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002:ffff::1', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['', ''],
  ])('%s counts as %s', (address, group) => {
    expect(addressGroup(address)).toBe(group);
  });
});

describe('countedGroups', () => {
  test.each([
    ['192.0.2.7', [{ group: '192.0.2.7', times: 1 }]],
    ['::ffff:192.0.2.7', [{ group: '192.0.2.7', times: 1 }]],
    [
      '2001:db8:1:2::6',
      [
        { group: '2001:db8:1:2::/64', times: 1 },
        { group: '2001:db8:1::/48', times: 10 },
      ],
    ],
    ['', [{ group: '', times: 1 }]],
  ])('%s counts as %j', (address, groups) => {
    expect(countedGroups(address)).toEqual(groups);
  });

  test('two IPv6 addresses share a network when their first 48 bits are the same, and a group at 64', () => {
    const part = fc.integer({ min: 0, max: 0xffff });
    const parts = fc.tuple(part, part, part, part, part, part, part, part);
    const written = (from: readonly number[]) => from.map((each) => each.toString(16)).join(':');
    fc.assert(
      fc.property(parts, parts, fc.integer({ min: 0, max: 8 }), (first, other, shared) => {
        // An IPv4 address in IPv6 notation counts as IPv4.
        fc.pre(first.slice(0, 5).some((each) => each > 0));
        fc.pre(shared === 8 || first[shared] !== other[shared]);
        const second = [...first.slice(0, shared), ...other.slice(shared)];
        fc.pre(second.slice(0, 5).some((each) => each > 0));
        const [one, two] = [countedGroups(written(first)), countedGroups(written(second))];
        expect([one[0].group === two[0].group, one[1]?.group === two[1]?.group]).toEqual([
          shared >= 4,
          shared >= 3,
        ]);
        expect(one.map(({ times }) => times)).toEqual([1, 10]);
      }),
    );
  });
});

describe('isPublicAddress', () => {
  test.each(['1.1.1.1', '93.184.215.14', '172.32.0.1', '2606:4700::1111', '2a00:1450:4001::64'])(
    '%s is public',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  test.each([
    ['127.0.0.1', 'loopback'],
    ['127.255.255.254', 'loopback'],
    ['0.0.0.0', 'this host'],
    ['0.1.2.3', 'this network'],
    ['10.0.0.1', 'private'],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['192.168.1.1', 'private'],
    ['169.254.169.254', 'cloud metadata'],
    ['169.254.170.2', 'container credentials'],
    ['100.64.0.1', 'carrier-grade NAT'],
    ['100.100.100.200', 'cloud metadata in CGNAT space'],
    ['192.0.0.192', 'cloud metadata in reserved space'],
    ['168.63.129.16', 'Azure wire server'],
    ['192.0.2.1', 'documentation'],
    ['198.51.100.1', 'documentation'],
    ['203.0.113.1', 'documentation'],
    ['198.18.0.1', 'benchmarking'],
    ['192.88.99.1', '6to4 relay'],
    ['224.0.0.1', 'multicast'],
    ['239.255.255.250', 'multicast'],
    ['240.0.0.1', 'reserved'],
    ['255.255.255.255', 'broadcast'],
    ['::', 'unspecified'],
    ['::1', 'loopback'],
    ['::ffff:127.0.0.1', 'IPv4-mapped loopback'],
    ['::ffff:8.8.8.8', 'IPv4-mapped'],
    ['::ffff:7f00:1', 'IPv4-mapped, hexadecimal'],
    ['::127.0.0.1', 'IPv4-compatible'],
    ['::7f00:1', 'IPv4-compatible, hexadecimal'],
    ['64:ff9b::7f00:1', 'NAT64'],
    ['64:ff9b:1::7f00:1', 'local NAT64'],
    ['2002:7f00:1::', '6to4'],
    ['2001::1', 'Teredo'],
    ['2001:db8::1', 'documentation'],
    ['3fff::1', 'documentation'],
    ['fe80::1', 'link-local'],
    ['fe80::1%eth0', 'link-local with a zone'],
    ['fec0::1', 'site-local'],
    ['fc00::1', 'unique local'],
    ['fd00:ec2::254', 'cloud metadata'],
    ['ff02::1', 'multicast'],
    ['100::1', 'discard'],
    ['5f00::1', 'segment routing'],
    ['4000::1', 'not handed out'],
    ['a.example', 'no address'],
    ['', 'nothing'],
  ])('%s is not (%s)', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

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
    // Through two of our proxies, and with a header written by the caller.
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

test.each([
  ['127.0.0.1', true],
  ['10.0.0.1', true],
  ['[::1]', true],
  ['localhost', true],
  ['gateway', true],
  ['gateway.internal', true],
  ['media.example', false],
  ['8.8.8.8', false],
])('whether %s is near: %p', (host, isNear) => {
  expect(isNearHost(host)).toBe(isNear);
});
