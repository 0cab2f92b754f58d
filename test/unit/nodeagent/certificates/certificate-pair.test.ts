import { expect } from 'chai';
import {
  type CertificatePair,
  checkPair,
  isUsable,
  joinPair,
  renewalTimeMs,
  splitPair,
  validityOf,
} from '../../../../src/nodeagent/certificates/certificate-pair.ts';
import { issueCertificate, makeAuthority } from '../../../../src/server/pki/index.ts';

const nowMs = Date.parse('2026-11-21T10:00:00Z');
const hourMs = 3_600_000;

describe('pairs of certificates and keys', () => {
  let pair: CertificatePair;
  let other: CertificatePair;
  let authorityPem: string;
  before(async () => {
    const authority = await makeAuthority({ commonName: 'ca', nowMs, lifetimeMs: hourMs });
    authorityPem = authority.certificatePem;
    const issue = (commonName: string) =>
      issueCertificate({ authority, subject: { commonName }, usage: 'client', nowMs, lifetimeMs: hourMs });
    [pair, other] = [await issue('a'), await issue('b')];
  });

  it('are taken apart as they were put together, chain and all', () => {
    const chained = { ...pair, certificatePem: `${pair.certificatePem}${authorityPem}` };
    const parted = splitPair(joinPair(chained));
    expect(parted.certificatePem.match(/BEGIN CERTIFICATE/g)).to.have.length(2);
    expect(checkPair(parted).subject).to.equal('CN=a');
    expect(parted.privateKeyPem.trim()).to.equal(pair.privateKeyPem.trim());
  });

  const halves: readonly (readonly [what: string, of: () => string, message: string])[] = [
    ['a certificate alone', () => pair.certificatePem, 'there is no private key'],
    ['a key alone', () => pair.privateKeyPem, 'there is no certificate'],
    ['nothing', () => 'hello', 'there is no certificate'],
  ];
  for (const [what, of, message] of halves) {
    it(`are not made of ${what}`, () => {
      expect(() => splitPair(of())).to.throw(message);
    });
  }

  it('can be used until they expire, with the right key', () => {
    expect(isUsable(pair, nowMs)).to.equal(true);
    expect(isUsable(pair, nowMs + hourMs)).to.equal(false);
    expect(isUsable({ ...pair, privateKeyPem: other.privateKeyPem }, nowMs)).to.equal(false);
    expect(isUsable({ ...pair, certificatePem: 'rubbish' }, nowMs)).to.equal(false);
  });

  it('are renewed after 70 to 90 % of their life', () => {
    const validity = validityOf(pair.certificatePem);
    expect(validity.notAfterMs).to.equal(nowMs + hourMs);
    const life = validity.notAfterMs - validity.notBeforeMs;
    expect(renewalTimeMs(validity, () => 0)).to.be.closeTo(validity.notBeforeMs + 0.7 * life, 1);
    expect(renewalTimeMs(validity, () => 1)).to.be.closeTo(validity.notBeforeMs + 0.9 * life, 1);
  });
});
