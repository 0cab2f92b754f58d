import { RE2JS, RE2JSException } from 're2js';
import { CtlError } from '../errors.ts';

/** Which requests a proxy takes: regular expressions, several joined by commas. */
export interface FilterRules {
  readonly acceptPaths: string;
  readonly rejectPaths: string;
  readonly acceptHosts: string;
  readonly rejectMethods: string;
}

/** What is looked at. */
export interface FilteredRequest {
  readonly method: string;
  readonly path: string;
  /** As the header has it, with its port. */
  readonly host: string;
}

/** True for requests that are passed on. */
export type RequestFilter = (request: FilteredRequest) => boolean;

/** Compiles the rules. @throws CtlError for a pattern that is none */
export function createFilter(rules: FilterRules): RequestFilter {
  const acceptsPath = compile('accept-paths', rules.acceptPaths);
  const rejectsPath = compile('reject-paths', rules.rejectPaths);
  const acceptsHost = compile('accept-hosts', rules.acceptHosts);
  const rejectsMethod = compile('reject-methods', rules.rejectMethods);
  return ({ method, path, host }) =>
    acceptsHost(withoutPort(host)) && !rejectsMethod(method) && acceptsPath(path) && !rejectsPath(path);
}

function compile(flag: string, text: string): (subject: string) => boolean {
  const patterns = text.split(',').map((pattern) => {
    try {
      return RE2JS.compile(pattern);
    } catch (error) {
      if (!(error instanceof RE2JSException)) throw error;
      throw new CtlError(`--${flag}: ${JSON.stringify(pattern)} is no regular expression: ${error.message}`, {
        cause: error,
      });
    }
  });
  return (subject) => patterns.some((pattern) => pattern.matcher(subject).find());
}

/** `[::1]:8001` and `localhost:8001` without what is behind the last colon. */
function withoutPort(host: string): string {
  return host.replace(/:\d*$/, '');
}
