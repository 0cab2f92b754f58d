/** What a certificate request (PKCS #10) asks for, as far as signer defaults look at it. */
export interface CertificateRequest {
  readonly organizations: readonly string[];
  readonly commonName: string;
  /** How many alternative names of each kind there are. */
  readonly alternativeNames: Readonly<Record<'dns' | 'email' | 'ip' | 'uri', number>>;
}

/** One DER element: its tag byte and content. */
interface Element {
  readonly tag: number;
  readonly content: Uint8Array;
}

const maxRequestBytes = 1 << 20;
// Object identifiers in DER: commonName, organizationName, extensionRequest, subjectAltName.
const commonNameId = '550403';
const organizationId = '55040a';
const extensionRequestId = '2a864886f70d01090e';
const alternativeNameId = '551d11';
// Context tags of GeneralName (RFC 5280, section 4.2.1.6).
const nameKinds: Readonly<Record<number, 'dns' | 'email' | 'ip' | 'uri'>> = {
  129: 'email',
  130: 'dns',
  134: 'uri',
  135: 'ip',
};

/**
 * Reads a request from base64 of its PEM text (RFC 2986). Signatures are not checked.
 *
 * @returns undefined for anything that is not a request.
 */
export function parseCertificateRequest(base64: string): CertificateRequest | undefined {
  const pem = Buffer.from(base64, 'base64').toString('latin1');
  if (pem.length > maxRequestBytes) return undefined;
  const begin = '-----BEGIN CERTIFICATE REQUEST-----';
  const start = pem.indexOf(begin);
  const end = pem.indexOf('-----END CERTIFICATE REQUEST-----', start);
  if (start < 0 || end < 0) return undefined;
  try {
    return readRequest(Buffer.from(pem.slice(start + begin.length, end), 'base64'));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function readRequest(der: Uint8Array): CertificateRequest {
  const [request] = readElements(der);
  const [info] = readElements(contentOf(request));
  // CertificationRequestInfo: version, subject, public key, [0] attributes.
  const [, subject, , attributes] = readElements(contentOf(info));
  const organizations: string[] = [];
  let commonName = '';
  for (const set of readElements(contentOf(subject))) {
    for (const pair of readElements(set.content)) {
      const [id, value] = readElements(pair.content);
      const text = Buffer.from(contentOf(value)).toString('utf8');
      if (hexOf(id) === organizationId) organizations.push(text);
      if (hexOf(id) === commonNameId) commonName = text;
    }
  }
  return { organizations, commonName, alternativeNames: countNames(attributes) };
}

function countNames(attributes: Element | undefined): Record<'dns' | 'email' | 'ip' | 'uri', number> {
  const counts = { dns: 0, email: 0, ip: 0, uri: 0 };
  for (const attribute of readElements(attributes?.content ?? new Uint8Array())) {
    const [id, values] = readElements(attribute.content);
    if (hexOf(id) !== extensionRequestId) continue;
    for (const extensions of readElements(contentOf(values))) {
      for (const extension of readElements(extensions.content)) {
        const parts = readElements(extension.content);
        if (hexOf(parts[0]) !== alternativeNameId) continue;
        // The value is an octet string that holds the sequence of names; a `critical` flag may stand before it.
        const [names] = readElements(contentOf(parts.at(-1)));
        for (const name of readElements(contentOf(names))) {
          const kind = nameKinds[name.tag];
          if (kind !== undefined) counts[kind] += 1;
        }
      }
    }
  }
  return counts;
}

/** Splits DER into the elements that follow one another. @throws RangeError when it is cut off. */
function readElements(der: Uint8Array): Element[] {
  const elements: Element[] = [];
  let offset = 0;
  while (offset < der.length) {
    const tag = byteAt(der, offset);
    let length = byteAt(der, offset + 1);
    offset += 2;
    if (length >= 0x80) {
      const count = length & 0x7f;
      if (count === 0 || count > 4) throw new RangeError(`certificate request: bad length of ${count} bytes`);
      length = 0;
      for (let i = 0; i < count; i++) length = length * 256 + byteAt(der, offset + i);
      offset += count;
    }
    if (offset + length > der.length) throw new RangeError('certificate request: cut off');
    elements.push({ tag, content: der.subarray(offset, offset + length) });
    offset += length;
  }
  return elements;
}

function byteAt(der: Uint8Array, offset: number): number {
  const byte = der[offset];
  if (byte === undefined) throw new RangeError('certificate request: cut off');
  return byte;
}

function contentOf(element: Element | undefined): Uint8Array {
  if (element === undefined) throw new RangeError('certificate request: missing part');
  return element.content;
}

function hexOf(element: Element | undefined): string {
  return Buffer.from(contentOf(element)).toString('hex');
}
