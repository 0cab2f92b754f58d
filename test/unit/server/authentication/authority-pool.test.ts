import { X509Certificate } from 'node:crypto';
import { expect } from 'chai';
import type { PeerCertificate } from '../../../../src/net/http/index.ts';
import { AuthorityPool } from '../../../../src/server/authentication/authority-pool.ts';
import { issueCertificate, type KeyPair, makeAuthority } from '../../../../src/server/pki/index.ts';

const hourMs = 3_600_000;
const nowMs = Date.UTC(2026, 0, 1);
const lasting = { nowMs, lifetimeMs: 10 * hourMs };

/** What TLS would say of a certificate that one of all authorities signed. */
function shown(pair: KeyPair, difference: Partial<PeerCertificate> = {}): PeerCertificate {
  return {
    commonName: 'carol',
    organizations: [],
    isSigned: true,
    validFromMs: nowMs - hourMs,
    validToMs: nowMs + 10 * hourMs,
    der: new X509Certificate(pair.certificatePem).raw,
    ...difference,
  };
}

describe('AuthorityPool', () => {
  let first: KeyPair;
  let namesake: KeyPair;
  let brief: KeyPair;
  let carol: KeyPair;
  before(async () => {
    [first, namesake, brief] = await Promise.all([
      makeAuthority({ commonName: 'ca', ...lasting }),
      makeAuthority({ commonName: 'ca', ...lasting }),
      makeAuthority({ commonName: 'brief', nowMs, lifetimeMs: hourMs }),
    ]);
    carol = await issueCertificate({
      authority: first,
      subject: { commonName: 'carol' },
      usage: 'client',
      ...lasting,
    });
  });
  const poolOf = (...pairs: readonly KeyPair[]) =>
    new AuthorityPool(pairs.map(({ certificatePem }) => certificatePem));

  it('trusts what one of its authorities signed', () => {
    expect(poolOf(first).trusts(shown(carol), nowMs)).to.equal(true);
    expect(poolOf(namesake, first).trusts(shown(carol), nowMs)).to.equal(true);
  });

  it('trusts nothing of an authority with the same name, nor without authorities', () => {
    expect(poolOf(namesake).trusts(shown(carol), nowMs)).to.equal(false);
    expect(poolOf().trusts(shown(carol), nowMs)).to.equal(false);
  });

  it('trusts nothing that TLS does not, nor anything out of its time', () => {
    expect(poolOf(first).trusts(shown(carol, { isSigned: false }), nowMs)).to.equal(false);
    expect(poolOf(first).trusts(shown(carol), nowMs + 11 * hourMs)).to.equal(false);
  });

  it('trusts an authority whatever became of the one above it', () => {
    expect(poolOf(first).trusts(shown(carol, { validToMs: nowMs - 1 }), nowMs)).to.equal(true);
  });

  it('trusts an authority as long as it is valid', async () => {
    const request = { authority: brief, subject: { commonName: 'carol' }, usage: 'client' } as const;
    const certificate = shown(await issueCertificate({ ...request, ...lasting }));
    const pool = poolOf(brief);
    expect(pool.trusts(certificate, nowMs)).to.equal(true);
    expect(pool.trusts(certificate, nowMs + 2 * hourMs)).to.equal(false);
  });

  it('trusts nothing that a certificate of a client signed', async () => {
    const request = { authority: carol, subject: { commonName: 'mallory' }, usage: 'client' } as const;
    const forged = shown(await issueCertificate({ ...request, ...lasting }));
    expect(poolOf(carol, first).trusts(forged, nowMs)).to.equal(false);
  });

  it('goes by other authorities once they are replaced, also for a certificate that it knows', () => {
    const pool = poolOf(first);
    const certificate = shown(carol);
    expect(pool.trusts(certificate, nowMs)).to.equal(true);
    pool.replace([namesake.certificatePem]);
    expect(pool.trusts(certificate, nowMs)).to.equal(false);
    pool.replace([namesake.certificatePem, first.certificatePem]);
    expect(pool.trusts(certificate, nowMs)).to.equal(true);
  });

  it('takes the word of TLS where it is the only one, but for what was shown before authorities were replaced', () => {
    const pool = new AuthorityPool([namesake.certificatePem], { isOnly: true });
    const certificate = shown(carol);
    expect(pool.trusts(certificate, nowMs)).to.equal(true);
    pool.replace([brief.certificatePem]);
    expect(pool.trusts(certificate, nowMs)).to.equal(false);
    expect(pool.trusts(shown(carol), nowMs)).to.equal(true);
    pool.replace([first.certificatePem]);
    expect(pool.trusts(certificate, nowMs)).to.equal(true);
  });

  it('keeps its authorities when others cannot be read', () => {
    const pool = poolOf(first);
    expect(() => pool.replace(['no certificate'])).to.throw();
    expect(pool.pems).to.deep.equal([first.certificatePem]);
    expect(pool.trusts(shown(carol), nowMs)).to.equal(true);
  });
});
