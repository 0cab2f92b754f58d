import type { CertificateSigningRequest } from '../../src/apis/types/certificates-v1.ts';
import { type KeyPair, makeAuthority } from '../../src/server/pki/index.ts';
import { loadX509 } from '../../src/server/pki/x509-library.ts';
import type { ApiClient } from './api-client.ts';
import { eventually } from './eventually.ts';

const requests = '/apis/certificates.orch.io/v1/certificatesigningrequests';
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
/** Its identifier (RFC 5280, section 4.2.1.6). */
export const subjectAltName = '2.5.29.17';
const hourMs = 3_600_000;

/** Approves and signs requests for certificates, in place of the controllers that do it elsewhere. */
export class CertificateSigner {
  readonly authority: KeyPair;
  readonly #client: ApiClient;

  private constructor(authority: KeyPair, client: ApiClient) {
    this.authority = authority;
    this.#client = client;
  }

  static makeAuthority(): Promise<KeyPair> {
    return makeAuthority({ commonName: 'test-signer', nowMs: Date.now(), lifetimeMs: 24 * hourMs });
  }

  /** Signs with an authority, as somebody who may. */
  static with(authority: KeyPair, client: ApiClient): CertificateSigner {
    return new CertificateSigner(authority, client);
  }

  async list(): Promise<readonly CertificateSigningRequest[]> {
    const { items } = await this.#client.expect('GET', requests);
    return items;
  }

  /** The first request that nobody has decided, once there is one. */
  async waitForRequest(): Promise<CertificateSigningRequest> {
    return eventually(async () => (await this.list()).find(({ status }) => status.conditions === undefined));
  }

  async approve({ metadata: { name } }: CertificateSigningRequest): Promise<void> {
    await this.#decide(name ?? '', { type: 'Approved', reason: 'Test', message: 'it may' });
  }

  async deny({ metadata: { name } }: CertificateSigningRequest): Promise<void> {
    await this.#decide(name ?? '', { type: 'Denied', reason: 'Test', message: 'it may not' });
  }

  /** Puts a certificate for what the request says into its status. Resolves with the certificate. */
  async sign(
    { metadata: { name }, spec }: CertificateSigningRequest,
    { notBeforeMs = Date.now() - 60_000, notAfterMs = Date.now() + hourMs } = {},
  ): Promise<string> {
    const x509 = await loadX509();
    const request = new x509.Pkcs10CertificateRequest(Buffer.from(spec.request ?? '', 'base64').toString());
    if (!(await request.verify())) throw new Error('the request is not signed by its key');
    const issuer = new x509.X509Certificate(this.authority.certificatePem);
    const names = request.getExtension(subjectAltName);
    const usage = spec.usages?.includes('server auth') === true ? 'serverAuth' : 'clientAuth';
    const certificate = await x509.X509CertificateGenerator.create({
      subject: request.subjectName,
      issuer: issuer.subjectName,
      notBefore: new Date(notBeforeMs),
      notAfter: new Date(notAfterMs),
      signingAlgorithm: algorithm,
      publicKey: request.publicKey,
      signingKey: await importKey(this.authority.privateKeyPem),
      extensions: [
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage[usage]]),
        ...(names == null ? [] : [names]),
      ],
    });
    const pem = `${certificate.toString('pem')}\n`;
    await this.#write(`${name}/status`, (object) => {
      object.status.certificate = Buffer.from(pem).toString('base64');
    });
    return pem;
  }

  #decide(name: string, condition: { type: string; reason: string; message: string }): Promise<void> {
    return this.#write(`${name}/approval`, (object) => {
      object.status.conditions = [{ ...condition, status: 'True' }];
    });
  }

  async #write(path: string, change: (object: CertificateSigningRequest) => void): Promise<void> {
    const object = (await this.#client.expect(
      'GET',
      `${requests}/${path.split('/')[0]}`,
    )) as CertificateSigningRequest; // the path is of such
    change(object);
    await this.#client.expect('PUT', `${requests}/${path}`, { body: object });
  }
}

function importKey(pem: string) {
  const der = Buffer.from(pem.replace(/-----[^-]+-----/g, ''), 'base64');
  return crypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign']);
}
