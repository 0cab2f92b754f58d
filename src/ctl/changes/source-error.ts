import { StatusError } from '../../machinery/errors/index.ts';

/** Says which file a failed change came from: `error when creating "x.yaml": pods "x" already exists`. */
export function withSource(error: unknown, action: string, source: string): unknown {
  if (source === '' || !(error instanceof Error)) return error;
  const message = `error when ${action} ${JSON.stringify(source)}: ${error.message}`;
  if (error instanceof StatusError) return new StatusError({ ...error.status, message }, { cause: error });
  return error.name === 'TransportError' ? error : new Error(message, { cause: error });
}
