import {
  type FieldError,
  type FieldPath,
  invalidValue,
  required,
  tooLong,
} from '../../machinery/errors/index.ts';
import { isDns1123Label, isDns1123Subdomain, isLongerThan } from '../validation/index.ts';

const maxDomainBytes = 253;
const maxBytes = 571;
const formText = 'must be a fully qualified domain and path of the form "example.com/signer-name"';

/** Errors of a signer's name: a domain, a slash, and a path of dotted names. */
export function validateSignerName(name: string, path: FieldPath): FieldError[] {
  if (name === '') return [required(path, 'signerName must be provided')];
  const parts = name.split('/');
  const [domain = '', rest = ''] = parts;
  if (parts.length !== 2) return [invalidValue(path, name, formText)];
  const errors: FieldError[] = [];
  for (const label of domain.split('.')) {
    for (const problem of isDns1123Label(label)) {
      errors.push(invalidValue(path, domain, `validating label ${JSON.stringify(label)}: ${problem}`));
    }
  }
  if (domain.split('.').length < 2) {
    errors.push(
      invalidValue(path, domain, 'should be a domain with at least two segments separated by dots'),
    );
  }
  for (const problem of isDns1123Subdomain(rest)) {
    errors.push(invalidValue(path, rest, `validating label ${JSON.stringify(rest)}: ${problem}`));
  }
  if (isLongerThan(domain, maxDomainBytes)) errors.push(tooLong(path, domain, maxDomainBytes));
  if (isLongerThan(name, maxBytes)) errors.push(tooLong(path, name, maxBytes));
  return errors;
}
