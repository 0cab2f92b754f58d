import {
  type FieldError,
  type FieldPath,
  invalidValue,
  quoteGo,
  required,
  tooLong,
} from '../../machinery/errors/index.ts';
import { isDns1123Label, isDns1123Subdomain, isLongerThan } from '../validation/index.ts';

const maxDomainBytes = 253;
const maxBytes = 571;
const formText = "must be a fully qualified domain and path of the form 'example.com/signer-name'";

/** Errors of a signer's name: a domain, a slash, and a path of names with dots between them. */
export function validateSignerName(name: string, path: FieldPath): FieldError[] {
  if (name === '') return [required(path, 'signerName must be provided')];
  const parts = name.split('/');
  const [domain = '', rest = ''] = parts;
  if (parts.length !== 2) return [invalidValue(path, name, formText)];
  const errors: FieldError[] = [];
  if (isLongerThan(domain, maxDomainBytes)) errors.push(tooLong(path, domain, maxDomainBytes));
  const labels = domain.split('.');
  errors.push(...firstProblems(labels, isDns1123Label).map((detail) => invalidValue(path, domain, detail)));
  if (labels.length < 2) {
    const detail = 'should be a domain with at least two segments separated by dots';
    errors.push(invalidValue(path, domain, detail));
  }
  const steps = rest.split('.');
  errors.push(...firstProblems(steps, isDns1123Subdomain).map((detail) => invalidValue(path, rest, detail)));
  if (isLongerThan(name, maxBytes)) errors.push(tooLong(path, name, maxBytes));
  return errors;
}

/** What is wrong with the first of some labels that is not right. */
function firstProblems(labels: readonly string[], describe: (label: string) => string[]): string[] {
  const wrong = labels.find((label) => describe(label).length > 0);
  if (wrong === undefined) return [];
  return describe(wrong).map((problem) => `validating label ${quoteGo(wrong)}: ${problem}`);
}
