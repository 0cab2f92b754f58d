import { errorText } from '../base/index.ts';
import { ClientConfigError } from '../client/config/index.ts';
import { TransportError } from '../client/rest/index.ts';
import { adviceLine } from '../config/index.ts';
import { StatusError } from '../machinery/errors/index.ts';
import { CombinedError } from './errors.ts';

/** The text of a failure as the client of release 1.20 prints it, with its final line feed. */
export function formatError(error: unknown): string {
  const text = error instanceof StatusError && error.code === 422 ? formatInvalid(error) : describe(error);
  return text.endsWith('\n') ? text : `${text}\n`;
}

function describe(error: unknown): string {
  if (error instanceof CombinedError) return error.errors.map(describePart).join('\n');
  const text = standardText(error) ?? ownText(error);
  return standardText(error) !== undefined || text.startsWith('error: ') ? text : `error: ${text}`;
}

/** One of several errors. What points into a file has a line for each place. */
function describePart(error: unknown): string {
  if (error instanceof StatusError && linesOf(error) !== undefined) return formatInvalid(error).trimEnd();
  return standardText(error) ?? ownText(error);
}

/** Errors that point into files are loaded with these only. */
const linesOf = (error: StatusError): readonly string[] | undefined =>
  'lines' in error && Array.isArray(error.lines) ? error.lines.map(String) : undefined;

/** The error's own text, and the entry of a configuration that was likely meant. */
function ownText(error: unknown): string {
  const unknown = error instanceof ClientConfigError ? error.unknown : undefined;
  return errorText(error) + (unknown === undefined ? '' : adviceLine(unknown.name, unknown.known));
}

/** Texts that say on their own who complains. */
function standardText(error: unknown): string | undefined {
  if (error instanceof StatusError) {
    if (error.reason === 'Unauthorized')
      return `error: You must be logged in to the server (${error.message})`;
    return `Error from server${error.reason === '' ? '' : ` (${error.reason})`}: ${error.message}`;
  }
  if (error instanceof TransportError) {
    return error.code === 'refused'
      ? `The connection to the server ${error.host} was refused - did you specify the right host or port?`
      : `Unable to connect to the server: ${error.message}`;
  }
  return error instanceof ClientConfigError && error.message.startsWith('Error in configuration')
    ? ownText(error)
    : undefined;
}

/** Invalid objects: one line per cause, since the message joins them into one that nobody can read. */
function formatInvalid(error: StatusError): string {
  const { message, details } = error.status;
  if (details === undefined) return 'The request is invalid';
  const lines = linesOf(error);
  const causes = [
    ...new Set(
      lines ?? (details.causes ?? []).map((cause) => `${cause.field ?? ''}: ${cause.message ?? ''}`),
    ),
  ];
  const isNamed = Boolean(details.kind || details.name);
  let head = isNamed
    ? `The ${details.kind ?? ''} ${JSON.stringify(details.name ?? '')} is invalid`
    : 'The request is invalid';
  if (causes.length === 0) return !isNamed && message ? `${head}: ${message}` : head;
  head += ': ';
  return causes.length === 1
    ? `${head}${causes[0]}\n`
    : `${head}\n${causes.map((cause) => `* ${cause}\n`).join('')}`;
}
