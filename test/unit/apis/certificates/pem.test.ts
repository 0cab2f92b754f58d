import { expect } from 'chai';
import { describeCertificateProblem, describeRequestProblem } from '../../../../src/apis/certificates/pem.ts';

const pem = (label: string, bytes: readonly number[]) =>
  `-----BEGIN ${label}-----\n${Buffer.from(bytes).toString('base64')}\n-----END ${label}-----\n`;
const sequence = [0x30, 0x03, 0x02, 0x01, 0x01];
const noParameters =
  '{optional:false explicit:false application:false private:false defaultValue:<nil> tag:<nil> stringType:0 timeType:0 set:false omitEmpty:false}';

describe('describeRequestProblem', () => {
  const request = (bytes: readonly number[]) => describeRequestProblem(pem('CERTIFICATE REQUEST', bytes));

  it('finds nothing wrong with one sequence', () => expect(request(sequence)).to.equal(undefined));

  const wrong: readonly (readonly [what: string, bytes: readonly number[], problem: string])[] = [
    [
      'text',
      [...Buffer.from('no DER')],
      `structure error: tags don't match (16 vs {class:1 tag:14 length:111 isCompound:true}) ${noParameters} certificateRequest @2`,
    ],
    ['half of a header', [0x30], 'syntax error: truncated tag or length'],
    ['half of a length', [0x30, 0x82, 0x01], 'syntax error: truncated tag or length'],
    ['a length that is not told', [0x30, 0x80, 0, 0], 'syntax error: indefinite length found (not DER)'],
    [
      'a length that begins with zero',
      [0x30, 0x82, 0, 0xff],
      'structure error: superfluous leading zeros in length',
    ],
    ['a length that fits in one byte', [0x30, 0x81, 0x01, 0], 'structure error: non-minimal length'],
    ['a length beyond all bounds', [0x30, 0x84, 0x80, 0, 0, 0], 'structure error: length too large'],
    ['half of a sequence', sequence.slice(0, 4), 'syntax error: data truncated'],
    ['two sequences', [...sequence, ...sequence], 'syntax error: trailing data'],
  ];
  for (const [what, bytes, problem] of wrong) {
    it(`refuses ${what}`, () => expect(request(bytes)).to.equal(`asn1: ${problem}`));
  }

  it('asks for a block of its kind', () => {
    for (const text of ['', pem('CERTIFICATE', sequence)]) {
      expect(describeRequestProblem(text)).to.equal('PEM block type must be CERTIFICATE REQUEST');
    }
  });
});

describe('describeCertificateProblem', () => {
  it('finds nothing wrong with certificates, several in a block and text around', () => {
    const two = pem('CERTIFICATE', [...sequence, ...sequence]);
    expect(describeCertificateProblem(`first\n${two}between\n${two}last`)).to.equal(undefined);
  });

  it('tells of the first block that is wrong', () => {
    const good = pem('CERTIFICATE', sequence);
    expect(describeCertificateProblem('text')).to.equal('must contain at least one CERTIFICATE PEM block');
    expect(describeCertificateProblem(good + pem('KEY', sequence))).to.equal(
      'only CERTIFICATE PEM blocks are allowed, found "KEY"',
    );
    expect(describeCertificateProblem(good + pem('CERTIFICATE', sequence.slice(0, 3)))).to.equal(
      'x509: malformed certificate',
    );
    expect(describeCertificateProblem(pem('CERTIFICATE', []))).to.equal(
      'found CERTIFICATE PEM block containing 0 certificates',
    );
  });
});
