import { asJsonObject, asText, errorText } from '../../base/index.ts';
import { CtlError } from '../errors.ts';
import type { DescribeContext } from './describer.ts';
import { asRecords, formatMap, type Report, shownText } from './report.ts';
import { formatLocalTime } from './times.ts';

/** Label and attribute of what a request says of its subject. */
const subjectFields = [
  ['Organization', 'O'],
  ['Organizational Unit', 'OU'],
  ['Country', 'C'],
  ['Locality', 'L'],
  ['Province', 'ST'],
  ['StreetAddress', '2.5.4.9'],
  ['PostalCode', '2.5.4.17'],
] as const;

/** Label and type of other names in a request. */
const nameTypes = [
  ['DNS Names', 'dns'],
  ['Email Addresses', 'email'],
  ['URIs', 'url'],
  ['IP Addresses', 'ip'],
] as const;

/** A request for a certificate with what it asks for. @throws CtlError for one that cannot be read */
export async function describeCertificateRequest({ object, report }: DescribeContext): Promise<void> {
  const spec = asJsonObject(object.spec);
  const request = await readRequest(asText(spec.request));
  report.field(0, 'Name', object.metadata.name);
  report.field(0, 'Labels', formatMap(object.metadata.labels));
  report.annotationLine(object.metadata.annotations);
  report.field(0, 'CreationTimestamp', formatLocalTime(object.metadata.creationTimestamp));
  report.field(0, 'Requesting User', spec.username);
  if (spec.signerName) report.field(0, 'Signer', spec.signerName);
  report.field(0, 'Status', formatStatus(object.status));
  report.line(0, 'Subject:');
  report.line(0, `\tCommon Name:\t${shownText(request.subject('CN')[0])}`);
  report.line(0, `\tSerial Number:\t${shownText(request.subject('2.5.4.5')[0])}`);
  for (const [label, field] of subjectFields) describeList(report, label, request.subject(field));
  const names = nameTypes.map(([label, type]) => [label, request.names(type)] as const);
  if (names.every(([, values]) => values.length === 0)) return;
  report.line(0, 'Subject Alternative Names:');
  for (const [label, values] of names) describeList(report, label, values);
}

function describeList(report: Report, label: string, values: readonly string[]): void {
  for (const [index, value] of values.entries()) {
    report.line(0, `\t${index === 0 ? `${label}:` : ''}\t${shownText(value)}`);
  }
}

function formatStatus(value: unknown): string {
  const { conditions, certificate } = asJsonObject(value);
  const types = asRecords(conditions).map(({ type }) => type);
  const decision = ['Denied', 'Approved'].find((type) => types.includes(type)) ?? 'Pending';
  return `${decision}${types.includes('Failed') ? ',Failed' : ''}${certificate ? ',Issued' : ''}`;
}

/** What a request says. */
interface RequestContent {
  /** Values of an attribute of the subject. */
  subject(attribute: string): readonly string[];
  /** Other names of that type. */
  names(type: string): readonly string[];
}

async function readRequest(base64: string): Promise<RequestContent> {
  // The library is large, and hardly anybody looks at requests.
  await import('reflect-metadata');
  const x509 = await import('@peculiar/x509');
  try {
    const request = new x509.Pkcs10CertificateRequest(Buffer.from(base64, 'base64').toString('utf8'));
    const extension = request.extensions.find((one) => one instanceof x509.SubjectAlternativeNameExtension);
    const names = extension?.names.items ?? [];
    return {
      subject: (attribute) => request.subjectName.getField(attribute),
      names: (type) => names.filter((name) => name.type === type).map(({ value }) => value),
    };
  } catch (cause) {
    throw new CtlError(`Error parsing CSR: ${errorText(cause)}`, { cause });
  }
}
