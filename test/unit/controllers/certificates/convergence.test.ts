import { expect } from 'chai';
import fc from 'fast-check';
import type { CertificateSigningRequest } from '../../../../src/apis/types/certificates-v1.ts';
import { decideApprovalWays, isUndecided } from '../../../../src/controllers/certificates/approve.ts';
import { isRequestOver } from '../../../../src/controllers/certificates/clean.ts';
import type { RequestedSubject } from '../../../../src/controllers/certificates/requests.ts';
import { signerNames } from '../../../../src/controllers/certificates/requests.ts';
import { signerFor, signerProblem } from '../../../../src/controllers/certificates/sign.ts';

const nowMs = Date.parse('2026-01-03T00:00:00Z');
const spell = (text: string): string => text;
const time = fc
  .integer({ min: 0, max: 50 * 60 })
  .map((minutes) => new Date(nowMs - minutes * 60_000).toISOString());
const some = (text: string) => fc.constantFrom<string[]>([], [], [], [text]);

const commonName = fc.constantFrom('system:node:n1', 'system:node:n2', 'admin');
const anySubject: fc.Arbitrary<RequestedSubject> = fc.oneof(
  fc.record({
    commonName,
    organizations: fc.constantFrom(['system:nodes'], ['system:nodes', 'system:masters'], []),
    dnsNames: some('n1'),
    emailAddresses: some('a@example.com'),
    ipAddresses: some('192.0.2.1'),
    uris: some('https://example.com'),
  }),
  // What agents ask for, or almost.
  fc.record({
    commonName,
    organizations: fc.constantFrom(['system:nodes'], ['system:nodes'], ['system:nodes', 'system:masters']),
    ...{ dnsNames: fc.constant([]), emailAddresses: fc.constant([]) },
    ...{ ipAddresses: fc.constant([]), uris: fc.constant([]) },
  }),
);
const anyUsages: fc.Arbitrary<string[]> = fc.oneof(
  fc.constant<string[]>(['key encipherment', 'digital signature', 'client auth']),
  fc.constant<string[]>(['key encipherment', 'digital signature', 'server auth']),
  fc.subarray(['key encipherment', 'digital signature', 'client auth', 'server auth', 'cert sign']),
);
const anyRequest = fc
  .record({
    signerName: fc.oneof(
      fc.constant('orch.io/orch-apiserver-client-nodeagent'),
      fc.constantFrom(...signerNames, 'example.com/other'),
    ),
    usages: anyUsages,
    username: fc.constantFrom('system:node:n1', 'joiner'),
    types: fc.subarray(['Approved', 'Denied', 'Failed']),
    hasCertificate: fc.boolean(),
    created: time,
    updated: time,
  })
  .map(
    ({
      signerName,
      usages,
      username,
      types,
      hasCertificate,
      created,
      updated,
    }): CertificateSigningRequest => ({
      kind: 'CertificateSigningRequest',
      apiVersion: 'certificates.orch.io/v1',
      metadata: { name: 'r', creationTimestamp: created },
      spec: { request: null, signerName, usages, username },
      status: {
        ...(hasCertificate && { certificate: 'eA==' }),
        conditions: types.map((type) => ({ type, status: 'True', lastUpdateTime: updated })),
      },
    }),
  );

const withCondition = (request: CertificateSigningRequest, type: string): CertificateSigningRequest => ({
  ...request,
  status: {
    ...request.status,
    conditions: [...(request.status.conditions ?? []), { type, status: 'True', lastUpdateTime: null }],
  },
});
const typesOf = ({ status }: CertificateSigningRequest): string[] =>
  (status.conditions ?? []).map(({ type }) => type);

describe('any signing request', () => {
  it('is approved for agents only, and once', () => {
    fc.assert(
      fc.property(anyRequest, anySubject, (request, subject) => {
        const ways = decideApprovalWays(request, subject, spell);
        if (ways.length > 0) {
          expect(request.spec.signerName).to.equal('orch.io/orch-apiserver-client-nodeagent');
          expect(subject.organizations).to.deep.equal(['system:nodes']);
          expect(subject.commonName).to.match(/^system:node:/);
          const { dnsNames, emailAddresses, ipAddresses, uris } = subject;
          expect([dnsNames, emailAddresses, ipAddresses, uris].flat()).to.deep.equal([]);
          expect(request.spec.usages).to.not.include('server auth');
          const isOwn = ways.some(({ subresource }) => subresource === 'selfnodeclient');
          expect(isOwn).to.equal(request.spec.username === subject.commonName);
        }
        expect(isUndecided(withCondition(request, 'Approved'))).to.equal(false);
        if (isUndecided(request)) expect(request.status.certificate).to.equal(undefined);
      }),
    );
  });

  it('is signed once, after it was approved and by nothing but the signer that it names', () => {
    fc.assert(
      fc.property(anyRequest, anySubject, (request, subject) => {
        const signer = signerFor(request, spell);
        if (signer === undefined) return;
        expect(signer).to.equal(request.spec.signerName);
        expect(typesOf(request)).to.deep.equal(['Approved']);
        const signed = { ...request, status: { ...request.status, certificate: 'eA==' } };
        expect(signerFor(signed, spell)).to.equal(undefined);
        expect(signerFor(withCondition(request, 'Failed'), spell)).to.equal(undefined);
        const { usages = [] } = request.spec;
        const problem = signerProblem(signer, subject, usages);
        expect(signerProblem(signer, subject, usages.toReversed())).to.equal(problem);
        if (problem !== undefined || signer === 'orch.io/legacy-unknown') return;
        expect(usages).to.not.include('cert sign');
        if (signer !== 'orch.io/orch-apiserver-client') {
          expect(subject.organizations).to.deep.equal(['system:nodes']);
        }
      }),
    );
  });

  it('is removed for good once its time is over, not while it is of use', () => {
    fc.assert(
      fc.property(anyRequest, fc.integer({ min: -100, max: 100 }), fc.nat(100), (request, left, later) => {
        const expiryOf = (): number => nowMs + left * 60_000;
        const isOver = isRequestOver(request, nowMs, expiryOf);
        if (isOver) expect(isRequestOver(request, nowMs + later * 60_000, expiryOf)).to.equal(true);
        const conditions = request.status.conditions ?? [];
        const reversed = { ...request.status, conditions: conditions.toReversed() };
        expect(isRequestOver({ ...request, status: reversed }, nowMs, expiryOf)).to.equal(isOver);
        const ageMs = nowMs - Date.parse(request.metadata.creationTimestamp ?? '');
        if (conditions.length === 0) expect(isOver).to.equal(ageMs > 24 * 3_600_000);
        // Somebody will still sign it.
        if (typesOf(request).join() === 'Approved' && !request.status.certificate) {
          expect(isOver).to.equal(false);
        }
      }),
    );
  });
});
