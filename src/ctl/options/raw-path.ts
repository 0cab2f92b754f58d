import { UsageError } from '../errors.ts';

/** The path of `--raw`. @throws what is given, for another one */
export function rawPath(path: string, Failure: new (message: string) => Error = UsageError): string {
  if (path.startsWith('/')) return path;
  throw new Failure(`--raw must be a valid URL path: parse ${JSON.stringify(path)}: invalid URI for request`);
}
