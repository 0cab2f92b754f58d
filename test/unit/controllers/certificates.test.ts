import { expect } from 'chai';
import type {
  CertificateSigningRequest,
  CertificateSigningRequestCondition,
} from '../../../src/apis/types/certificates-v1.ts';
import { decideApprovalWays, isUndecided } from '../../../src/controllers/certificates/approve.ts';
import { isRequestOver } from '../../../src/controllers/certificates/clean.ts';
import type { RequestedSubject } from '../../../src/controllers/certificates/requests.ts';
import { signerFor, signerProblem } from '../../../src/controllers/certificates/sign.ts';

const clientSigner = 'orch.io/orch-apiserver-client-nodeagent';
const clientUsages = ['key encipherment', 'digital signature', 'client auth'];
const servingUsages = ['key encipherment', 'digital signature', 'server auth'];
const spell = (text: string): string => text;

const node: RequestedSubject = {
  commonName: 'system:node:n1',
  organizations: ['system:nodes'],
  dnsNames: [],
  emailAddresses: [],
  ipAddresses: [],
  uris: [],
};

function request(
  spec: Partial<CertificateSigningRequest['spec']> = {},
  status: CertificateSigningRequest['status'] = {},
): CertificateSigningRequest {
  return {
    kind: 'CertificateSigningRequest',
    apiVersion: 'certificates.orch.io/v1',
    metadata: { name: 'r', creationTimestamp: '2020-01-01T00:00:00Z' },
    spec: { request: null, signerName: clientSigner, usages: clientUsages, username: 'joiner', ...spec },
    status,
  };
}

const condition = (type: string, lastUpdateTime?: string): CertificateSigningRequestCondition => ({
  type,
  status: 'True',
  lastUpdateTime,
});

describe('the approval of a signing request', () => {
  const waysOf = (of: CertificateSigningRequest, subject = node): string[] =>
    decideApprovalWays(of, subject, spell).map(({ subresource }) => subresource);

  it('is tried for agents: for itself first, then for others', () => {
    expect(waysOf(request())).to.deep.equal(['nodeclient']);
    expect(waysOf(request({ username: 'system:node:n1' }))).to.deep.equal(['selfnodeclient', 'nodeclient']);
  });

  const others: readonly [string, CertificateSigningRequest, RequestedSubject?][] = [
    ['for another signer', request({ signerName: 'orch.io/orch-apiserver-client' })],
    [
      'for a serving certificate',
      request({ signerName: 'orch.io/nodeagent-serving', usages: servingUsages }),
    ],
    ['with another usage', request({ usages: [...clientUsages, 'server auth'] })],
    ['with too few usages', request({ usages: ['client auth'] })],
    ['of another organization', request(), { ...node, organizations: ['system:masters'] }],
    ['of one more organization', request(), { ...node, organizations: ['system:nodes', 'system:masters'] }],
    ['without an organization', request(), { ...node, organizations: [] }],
    ['of somebody else', request(), { ...node, commonName: 'admin' }],
    ['with a host name', request(), { ...node, dnsNames: ['n1'] }],
    ['with an address', request(), { ...node, ipAddresses: ['10.0.0.1'] }],
    ['with a mail address', request(), { ...node, emailAddresses: ['a@b.c'] }],
    ['with a URI', request(), { ...node, uris: ['spiffe://a'] }],
  ];
  for (const [what, of, subject] of others) {
    it(`is left to people for one ${what}`, () => expect(waysOf(of, subject)).to.deep.equal([]));
  }

  it('is over once somebody decided or signed', () => {
    expect(isUndecided(request())).to.equal(true);
    expect(isUndecided(request({}, { conditions: [condition('Failed')] }))).to.equal(true);
    for (const type of ['Approved', 'Denied']) {
      expect(isUndecided(request({}, { conditions: [condition(type)] }))).to.equal(false);
    }
    expect(isUndecided(request({}, { certificate: 'eA==' }))).to.equal(false);
  });
});

describe('the signer of a request', () => {
  const approved = { conditions: [condition('Approved')] };
  const signerOf = (signerName: string, status: CertificateSigningRequest['status'] = approved) =>
    signerFor(request({ signerName }, status), spell);

  it('is the built-in one that it names, once it is approved', () => {
    for (const name of ['orch-apiserver-client', 'nodeagent-serving', 'legacy-unknown']) {
      expect(signerOf(`orch.io/${name}`)).to.equal(`orch.io/${name}`);
    }
    expect(signerOf('example.org/mine')).to.equal(undefined);
  });

  it('has nothing to do for one that is pending, denied, failed or signed', () => {
    for (const conditions of [[], [condition('Denied')], [condition('Approved'), condition('Failed')]]) {
      expect(signerOf(clientSigner, { conditions })).to.equal(undefined);
    }
    expect(signerOf(clientSigner, { ...approved, certificate: 'eA==' })).to.equal(undefined);
  });

  const serving = { ...node, dnsNames: ['n1'] };
  type Case = readonly [string, Parameters<typeof signerProblem>, string | undefined];
  const cases: readonly Case[] = [
    ['a client of the API', ['orch.io/orch-apiserver-client', node, ['client auth']], undefined],
    [
      'a client that signs as well',
      ['orch.io/orch-apiserver-client', node, ['client auth', 'signing']],
      'invalid usage for client certificate: signing',
    ],
    [
      'a client that may be none',
      ['orch.io/orch-apiserver-client', node, ['digital signature']],
      'missing required usage for client certificate: client auth',
    ],
    ['an agent', [clientSigner, node, clientUsages], undefined],
    ['an agent with names', [clientSigner, serving, clientUsages], 'DNS subjectAltNames are not allowed'],
    [
      'an agent of another organization',
      [clientSigner, { ...node, organizations: ['x'] }, clientUsages],
      'subject organization is not system:nodes',
    ],
    [
      'an agent by another name',
      [clientSigner, { ...node, commonName: 'n1' }, clientUsages],
      'subject common name does not begin with system:node:',
    ],
    [
      'an agent that serves',
      [clientSigner, node, servingUsages],
      'usages did not match [client auth digital signature key encipherment]',
    ],
    ['a serving agent', ['orch.io/nodeagent-serving', serving, servingUsages], undefined],
    [
      'a serving agent by address',
      ['orch.io/nodeagent-serving', { ...node, ipAddresses: ['10.0.0.1'] }, servingUsages],
      undefined,
    ],
    [
      'a serving agent without names',
      ['orch.io/nodeagent-serving', node, servingUsages],
      'DNS or IP subjectAltName is required',
    ],
    [
      'a serving agent with a URI',
      ['orch.io/nodeagent-serving', { ...serving, uris: ['spiffe://a'] }, servingUsages],
      'URI subjectAltNames are not allowed',
    ],
    [
      'a serving agent with a mail address',
      ['orch.io/nodeagent-serving', { ...serving, emailAddresses: ['a@b'] }, servingUsages],
      'Email subjectAltNames are not allowed',
    ],
    [
      'a serving agent as a client',
      ['orch.io/nodeagent-serving', serving, clientUsages],
      'usages did not match [digital signature key encipherment server auth]',
    ],
    ['anything of old', ['orch.io/legacy-unknown', { ...node, organizations: [] }, ['any']], undefined],
  ];
  for (const [what, given, message] of cases) {
    it(`${message === undefined ? 'signs for' : 'refuses'} ${what}`, () =>
      expect(signerProblem(...given)).to.equal(message));
  }
});

describe('the end of a signing request', () => {
  const createdMs = Date.parse('2020-01-01T00:00:00Z');
  const hours = (count: number): number => createdMs + count * 3_600_000;
  const at = '2020-01-01T00:00:00Z';
  const issued = (endMs: number) => ({
    request: request({}, { conditions: [condition('Approved', at)], certificate: 'eA==' }),
    endMs,
  });
  const cases: readonly [string, CertificateSigningRequest, number, boolean][] = [
    ['pending for a day', request(), hours(24), false],
    ['pending for longer', request(), hours(24.1), true],
    ['denied for an hour', request({}, { conditions: [condition('Denied', at)] }), hours(1), false],
    ['denied for longer', request({}, { conditions: [condition('Denied', at)] }), hours(1.1), true],
    ['failed for longer', request({}, { conditions: [condition('Failed', at)] }), hours(1.1), true],
    ['approved, not signed', request({}, { conditions: [condition('Approved', at)] }), hours(100), false],
    ['denied at no known time', request({}, { conditions: [condition('Denied')] }), hours(100), false],
    ['of another kind', request({}, { conditions: [condition('Other', at)] }), hours(100), false],
  ];
  for (const [what, of, nowMs, isOver] of cases) {
    it(`${isOver ? 'has come' : 'has not come'} when it is ${what}`, () =>
      expect(isRequestOver(of, nowMs, () => undefined)).to.equal(isOver));
  }

  it('comes an hour after the certificate, or with the end of that', () => {
    const { request: of, endMs } = issued(hours(0.5));
    expect(isRequestOver(of, hours(0.4), () => endMs)).to.equal(false);
    expect(isRequestOver(of, hours(0.6), () => endMs)).to.equal(true);
    expect(isRequestOver(of, hours(1), () => hours(2))).to.equal(false);
    expect(isRequestOver(of, hours(1.1), () => hours(2))).to.equal(true);
    expect(isRequestOver(of, hours(0.9), () => undefined)).to.equal(false);
  });
});
