import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { BlockList, isIPv6 } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { readText } from './support/deployFiles.ts';
import { helmProgram, runTool } from './support/tools.ts';

interface Peer {
  ipBlock?: { cidr: string; except?: string[] };
  namespaceSelector?: { matchLabels?: Record<string, string> };
}

interface Rule {
  to: Peer[];
  ports?: { port: number; protocol: string }[];
}

interface Policy {
  kind: string;
  metadata: { name: string };
  spec: { policyTypes: string[]; egress: Rule[] };
}

const folder = mkdtempSync(join(tmpdir(), 'framegate-policy-'));
const roles = ['api', 'worker', 'migrate'];
let render: (values: string) => Promise<Map<string, Policy>>;

beforeAll(async () => {
  const helm = await helmProgram();
  const [, page = ''] = /```yaml\n(.*?)```/s.exec(readText('docs/deploy/kubernetes.md')) ?? [];
  render = async (values) => {
    const files = [page, values].map((text, index) => {
      const path = join(folder, `${String(index)}.yaml`);
      writeFileSync(path, text);
      return path;
    });
    const sources = files.flatMap((path) => ['-f', path]);
    const args = ['template', 'framegate', 'deploy/helm/framegate', ...sources];
    const text = await runTool(helm, [...args, '--kube-version', '1.31.0']);
    const objects = parseAllDocuments(text).map((each) => each.toJS() as Policy);
    const policies = objects.filter(({ kind }) => kind === 'NetworkPolicy');
    return new Map(
      policies.map((each) => [each.metadata.name.replace('framegate-', ''), each] as const),
    );
  };
}, 900_000);

afterAll(() => {
  rmSync(folder, { recursive: true });
});

function holds(cidrs: readonly string[], address: string): boolean {
  const list = new BlockList();
  const family = isIPv6(address) ? 'ipv6' : 'ipv4';
  for (const cidr of cidrs) {
    const [network = '', bits = ''] = cidr.split('/');
    if (isIPv6(network) === isIPv6(address)) list.addSubnet(network, Number(bits), family);
  }
  return list.check(address, family);
}

/** Whether a policy lets its pods connect to an address, as Kubernetes reads it. */
function lets(policy: Policy | undefined, address: string, port: number, protocol = 'TCP') {
  expect(policy?.spec.policyTypes).toContain('Egress');
  return (policy?.spec.egress ?? []).some(
    ({ to, ports }) =>
      (ports === undefined ||
        ports.some((each) => each.port === port && each.protocol === protocol)) &&
      to.some(
        ({ ipBlock }) =>
          ipBlock !== undefined &&
          holds([ipBlock.cidr], address) &&
          !holds(ipBlock.except ?? [], address),
      ),
  );
}

const services = `networkPolicy:
  database: { to: [{ ipBlock: { cidr: 10.20.0.0/16 } }] }
  bucket: { to: [{ ipBlock: { cidr: 10.30.0.9/32 } }], ports: [9000] }
  mail: { to: [{ ipBlock: { cidr: fd12::25/128 } }], ports: [465] }
  traces: { to: [{ namespaceSelector: { matchLabels: { name: traces } } }] }
`;

describe('pods connect', () => {
  test('to public addresses, and to nothing in private networks and at cloud metadata', async () => {
    const policies = await render('networkPolicy: { database: { to: [] } }');
    expect([...policies.keys()]).toEqual(roles);
    const inside = ['10.0.0.1', '10.96.0.1', '10.255.255.255', '100.64.0.1', '100.127.255.254'];
    inside.push('127.0.0.1', '168.63.129.16', '169.254.169.254', '172.16.0.1', '172.31.255.254');
    inside.push('192.168.1.1', 'fd00:ec2::254', 'fc00::1', 'fdff::1', 'fe80::1');
    for (const role of roles) {
      const open = inside.flatMap((address) =>
        [80, 443, 6443, 27017].filter((port) => lets(policies.get(role), address, port)),
      );
      expect([role, open]).toEqual([role, []]);
    }
    for (const address of ['9.255.255.255', '11.0.0.1', '172.32.0.1', '1.1.1.1', '2606:4700::1']) {
      for (const role of ['api', 'worker']) {
        expect(lets(policies.get(role), address, 443)).toBe(true);
      }
      expect(lets(policies.get('migrate'), address, 27017)).toBe(true);
      expect(lets(policies.get('migrate'), address, 443)).toBe(false);
    }
  });

  test('to whole namespaces only where the values name them, and to DNS by its port alone', async () => {
    for (const [values, named] of [
      ['', ['kube-system']],
      [services, ['kube-system', 'traces']],
    ] as const) {
      const policies = await render(values);
      for (const [role, { spec }] of policies) {
        const selectors = spec.egress.flatMap(({ to, ports }) =>
          to.flatMap(({ namespaceSelector: selector }) =>
            selector === undefined ? [] : [{ labels: selector.matchLabels ?? {}, ports }],
          ),
        );
        const names = selectors.flatMap(({ labels }) => Object.values(labels));
        expect(names).toEqual(role === 'migrate' ? ['kube-system'] : named);
        expect(selectors[0]?.ports?.map(({ port }) => port)).toEqual([53, 53]);
        expect(lets(policies.get(role), '169.254.20.10', 53, 'UDP')).toBe(true);
        expect(lets(policies.get(role), '169.254.20.10', 80)).toBe(false);
      }
    }
  });

  test.each([
    ['the database', '10.20.3.4', 27017, roles],
    ['the bucket', '10.30.0.9', 9000, ['api', 'worker']],
    ['the mail server', 'fd12::25', 465, ['worker']],
  ])(
    'to %s where the values say so, by its port, from the pods that need it',
    async (_, address, port, who) => {
      const policies = await render(services);
      expect(roles.filter((role) => lets(policies.get(role), address, port))).toEqual(who);
      expect(roles.filter((role) => lets(policies.get(role), address, 22))).toEqual([]);
    },
  );

  test("by further rules of the operator's, but not from the Job that migrates", async () => {
    const policies = await render(
      'networkPolicy: { extraEgress: [{ to: [{ ipBlock: { cidr: 10.9.9.9/32 } }] }] }',
    );
    const who = roles.filter((role) => lets(policies.get(role), '10.9.9.9', 8443));
    expect(who).toEqual(['api', 'worker']);
  });
});

test('a chart without the addresses of database, bucket and mail server is refused, naming them', async () => {
  for (const name of ['database', 'bucket', 'mail']) {
    const refused = render(`networkPolicy: { ${name}: { to: null } }`);
    await expect(refused).rejects.toThrow(new RegExp(`networkPolicy[./]${name}\\b`));
    await expect(render(`networkPolicy: { ${name}: null }`)).rejects.toThrow('networkPolicy');
  }
});
