import { expect } from 'chai';
import fc from 'fast-check';
import { validateSignerName } from '../../../../src/apis/certificates/signer-name.ts';
import { fieldPath } from '../../../../src/machinery/errors/index.ts';

const errorsOf = (name: string): string[] =>
  validateSignerName(name, fieldPath('spec', 'signerName')).map(String);

const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const form = "must be a fully qualified domain and path of the form 'example.com/signer-name'";
const twoSegments = 'should be a domain with at least two segments separated by dots';

describe('validateSignerName', () => {
  const right: readonly (readonly [title: string, name: string])[] = [
    ['a domain and a name', 'example.com/signer'],
    ['digits and dashes', '1.2-3.4/5-6'],
    ['dots in the name', 'example.com/a.b.c'],
    ['labels of 63 letters', `${'a'.repeat(63)}.b/c`],
    ['a part of the name as long as a subdomain', `a.b/${'c'.repeat(253)}`],
    // A domain of 253, a label of 63 and a subdomain of 253, a slash and a dot.
    ['571 letters', `${'a.'.repeat(126)}a/${'b'.repeat(63)}.${'c'.repeat(253)}`],
  ];
  for (const [title, name] of right) it(`takes ${title}`, () => expect(errorsOf(name)).to.deep.equal([]));

  const wrong: readonly (readonly [title: string, name: string, ...details: readonly string[]])[] = [
    ['nothing', '', 'Required value: signerName must be provided'],
    ['no slash', 'example.com', `Invalid value: "example.com": ${form}`],
    ['two slashes', 'a.b/c/d', `Invalid value: "a.b/c/d": ${form}`],
    ['slashes alone', '//', `Invalid value: "//": ${form}`],
    [
      'a slash alone',
      '/',
      `Invalid value: "": validating label "": ${label}`,
      `Invalid value: "": ${twoSegments}`,
      `Invalid value: "": validating label "": ${subdomain}`,
    ],
    ['a domain of one segment', 'localhost/a', `Invalid value: "localhost": ${twoSegments}`],
    ['no name', 'a.b/', `Invalid value: "": validating label "": ${subdomain}`],
    ['capitals', 'a.B/c', `Invalid value: "a.B": validating label "B": ${label}`],
    ['letters beyond ASCII', 'a.é/c', `Invalid value: "a.é": validating label "é": ${label}`],
    [
      'only the first wrong label',
      'A.B/C.D',
      `Invalid value: "A.B": validating label "A": ${label}`,
      `Invalid value: "C.D": validating label "C": ${subdomain}`,
    ],
    ['a dot at the end of the domain', 'a.b./c', `Invalid value: "a.b.": validating label "": ${label}`],
    ['two dots in the name', 'a.b/c..d', `Invalid value: "c..d": validating label "": ${subdomain}`],
    [
      'a label of 64 letters',
      `${'a'.repeat(64)}.b/c`,
      `Invalid value: "${'a'.repeat(64)}.b": validating label "${'a'.repeat(64)}": must be no more than 63 characters`,
    ],
    [
      'all that is wrong with one label',
      `${'A'.repeat(64)}.b/c`,
      `Invalid value: "${'A'.repeat(64)}.b": validating label "${'A'.repeat(64)}": must be no more than 63 characters`,
      `Invalid value: "${'A'.repeat(64)}.b": validating label "${'A'.repeat(64)}": ${label}`,
    ],
    [
      'a part of the name above 253 letters',
      `a.b/${'c'.repeat(254)}`,
      `Invalid value: "${'c'.repeat(254)}": validating label "${'c'.repeat(254)}": must be no more than 253 characters`,
    ],
    ['a domain above 253 letters', `${'a.'.repeat(126)}aa/b`, 'Too long: must have at most 253 bytes'],
    [
      'more than 571 letters',
      `a.b/${'c'.repeat(250)}.${'d'.repeat(250)}.${'e'.repeat(67)}`,
      'Too long: must have at most 571 bytes',
    ],
  ];
  for (const [title, name, ...details] of wrong) {
    it(`refuses ${title}`, () => {
      const texts = errorsOf(name).map((text) => text.replace('spec.signerName: ', ''));
      expect(texts.length).to.equal(details.length);
      for (const [at, detail] of details.entries()) expect(texts[at]).to.have.string(detail);
    });
  }

  it('takes every domain of two labels with a name, and none when it is longer than allowed', () => {
    const part = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,20}[a-z0-9])?$/);
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 2, maxLength: 5 }),
        fc.array(part, { minLength: 1, maxLength: 5 }),
        (domain, name) => {
          expect(errorsOf(`${domain.join('.')}/${name.join('.')}`)).to.deep.equal([]);
          expect(errorsOf(`${domain.join('.')}/${name.join('.')}${'.a'.repeat(290)}`)).not.to.deep.equal([]);
        },
      ),
    );
  });
});
