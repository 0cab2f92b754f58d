import { errorText } from '../base/index.ts';
import { TransportError } from '../client/rest/index.ts';
import { OptionsError } from '../config/index.ts';
import { type Status, StatusError } from '../machinery/errors/index.ts';
import { CombinedError, UsageError } from './errors.ts';
import type { CtlIo } from './io.ts';
import { LocatedStatusError } from './validation/locate-causes.ts';
import { type FilePlace, ManifestError } from './validation/manifest-error.ts';

/** A Status; `places` says where in files the fields of its causes stand, in their order. */
type PrintedStatus = Status & { readonly places?: readonly (FilePlace | null)[] };

const base = { kind: 'Status', apiVersion: 'v1', metadata: {} } as const;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
const colours = /\u001b\[[\d;]*m/g;

/** What runs a command whose errors a program reads. */
export interface JsonErrors {
  /** Lines of text to standard error, such as warnings, become a Status each; bytes go through as they are. */
  readonly io: CtlIo;
  /** Prints a failure: one Status a line, one for each error. */
  print(error: unknown): void;
  /** Prints the line that was not finished. */
  end(): void;
}

/** Makes it of where a command runs. */
export function createJsonErrors(io: CtlIo): JsonErrors {
  const { stderr } = io;
  let rest = '';
  const write = (content: string | Uint8Array): void => {
    if (typeof content !== 'string') {
      stderr.write(content);
      return;
    }
    const lines = (rest + content).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines.map((text) => text.replace(colours, ''))) {
      if (line !== '') stderr.write(formatStatus({ ...base, status: 'Success', message: line }));
    }
  };
  return {
    io: { ...io, stderr: { ...stderr, isTerminal: false, write } },
    print(error) {
      for (const each of listErrors(error))
        stderr.write(formatStatus({ ...base, status: 'Failure', ...statusOf(each) }));
    },
    end: () => write(rest === '' ? '' : '\n'),
  };
}

function listErrors(error: unknown): readonly unknown[] {
  if (error instanceof CombinedError) return error.errors.flatMap(listErrors);
  if (error instanceof OptionsError) return error.problems.map((problem) => new UsageError(problem));
  return [error];
}

/** Errors that no server sent have the reason and code that a server would give them; undefined where there is none. */
function statusOf(error: unknown): Partial<PrintedStatus> {
  if (error instanceof StatusError) {
    const places =
      error instanceof LocatedStatusError ? { places: error.places.map((place) => place ?? null) } : {};
    return { ...error.status, ...places };
  }
  const message = errorText(error);
  if (error instanceof UsageError) return { message, reason: 'BadRequest', code: 400 };
  if (error instanceof ManifestError) return { message, reason: 'Invalid', code: 422, ...fieldOf(error) };
  if (error instanceof TransportError) return { message, reason: 'ServiceUnavailable', code: 503 };
  return { message };
}

function fieldOf({ field }: ManifestError): Partial<PrintedStatus> {
  if (field === undefined) return {};
  const causes = [{ reason: 'FieldValueInvalid', message: field.text, field: field.path }];
  return { details: { causes }, places: [field.place ?? null] };
}

const formatStatus = (status: PrintedStatus): string => `${JSON.stringify(status)}\n`;
