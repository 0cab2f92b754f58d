import { StatusError } from '../../machinery/errors/index.ts';
import type { ManifestTarget } from '../resource/resolve-files.ts';

/** As `withSource` for an object that the server refused; what is invalid points into the file. */
export async function withPlaces(
  error: unknown,
  action: string,
  { source, origin }: Pick<ManifestTarget, 'source' | 'origin'>,
): Promise<unknown> {
  const found = withSource(error, action, source);
  if (!(found instanceof StatusError) || found.code !== 422 || origin === undefined) return found;
  const { locateCauses } = await import('../validation/locate-causes.ts');
  return locateCauses(found, origin);
}

/** Says which file a failed change came from: `error when creating "x.yaml": pods "x" already exists`. */
export function withSource(error: unknown, action: string, source: string): unknown {
  if (source === '' || !(error instanceof Error)) return error;
  const message = `error when ${action} ${JSON.stringify(source)}: ${error.message}`;
  if (error instanceof StatusError) return new StatusError({ ...error.status, message }, { cause: error });
  return error.name === 'TransportError' ? error : new Error(message, { cause: error });
}
