import { type FieldError, type FieldPath, invalidValue, required } from '../machinery/errors/index.ts';
import { parseUrl, UrlError, type UrlParts } from '../machinery/go-values/index.ts';
import { isDns1123Subdomain, isValidPortNumber } from './validation/index.ts';

/** How a server reaches a webhook. */
export interface WebhookClient {
  readonly url?: string | undefined;
  readonly service?:
    | {
        readonly namespace: string;
        readonly name: string;
        readonly path?: string | undefined;
        readonly port?: number | undefined;
      }
    | undefined;
}

/** Adds the errors of how to reach a webhook: by URL, or by service. */
export function validateWebhookClient(
  errors: FieldError[],
  { url, service }: WebhookClient,
  path: FieldPath,
): void {
  if ((url === undefined) === (service === undefined)) {
    errors.push(required(path, 'exactly one of url or service is required'));
  } else if (url !== undefined) validateUrl(errors, url, path.child('url'));
  else if (service !== undefined) validateService(errors, service, path.child('service'));
}

const form = '; desired format: https://host[/path]';

function validateUrl(errors: FieldError[], text: string, path: FieldPath): void {
  const refuse = (value: string, detail: string): void => {
    errors.push(invalidValue(path, value, detail));
  };
  let url: UrlParts;
  try {
    url = parseUrl(text);
  } catch (error) {
    if (!(error instanceof UrlError)) throw error;
    errors.push(required(path, `url must be a valid URL: ${error.message}${form}`));
    return;
  }
  const { scheme, host, user, fragment, query } = url;
  if (scheme !== 'https') refuse(scheme, `'https' is the only allowed URL scheme${form}`);
  if (host === '') refuse('', `host must be provided${form}`);
  if (user !== undefined) refuse(user, 'user information is not permitted in the URL');
  if (fragment !== '') refuse(fragment, 'fragments are not permitted in the URL');
  if (query !== '') refuse(query, 'query parameters are not permitted in the URL');
}

function validateService(
  errors: FieldError[],
  { name, namespace, port = 443, path: urlPath = '' }: NonNullable<WebhookClient['service']>,
  path: FieldPath,
): void {
  // Release 1.20 takes one for the other.
  if (namespace === '') errors.push(required(path.child('name'), 'service name is required'));
  if (name === '') errors.push(required(path.child('namespace'), 'service namespace is required'));
  const problems = isValidPortNumber(port);
  if (problems.length > 0) {
    errors.push(invalidValue(path.child('port'), port, `port is not valid: ${problems.join(',')}`));
  }
  for (const problem of describeUrlPath(urlPath)) {
    errors.push(invalidValue(path.child('path'), urlPath, problem));
  }
}

function describeUrlPath(path: string): string[] {
  if (path === '' || path === '/') return [];
  if (path === '//') return ['segment[0] may not be empty'];
  const problems = path.startsWith('/') ? [] : ["must start with a '/'"];
  const steps = path.slice(1).replace(/\/$/, '').split('/');
  for (const [at, step] of steps.entries()) {
    if (step === '') problems.push(`segment[${at}] may not be empty`);
    else problems.push(...isDns1123Subdomain(step).map((problem) => `segment[${at}]: ${problem}`));
  }
  return problems;
}
