import { TransportError } from '../client/rest/index.ts';
import { OptionsError } from '../config/index.ts';
import { StatusError } from '../machinery/errors/index.ts';
import { CombinedError, UsageError } from './errors.ts';
import table from './exit-codes.json' with { type: 'json' };
import { ManifestError } from './validation/manifest-error.ts';

/** Names of the table: reasons of statuses, and in small letters what has none. */
const codes: Readonly<Record<string, number>> = table;

/** The code of `--exit-codes=reason`: that of all errors when they have the same, else the one for several. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CombinedError) {
    const found = new Set(error.errors.map(exitCodeOf));
    const [first = table.other] = found;
    return found.size > 1 ? table.several : first;
  }
  if (error instanceof StatusError) {
    return Object.hasOwn(codes, error.reason) ? (codes[error.reason] ?? table.other) : table.other;
  }
  if (error instanceof UsageError || error instanceof OptionsError) return table.usage;
  if (error instanceof ManifestError) return table.file;
  return error instanceof TransportError ? table.connection : table.other;
}
