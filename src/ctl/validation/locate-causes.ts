import type { YamlPath } from '../../machinery/codec/index.ts';
import { type Status, StatusError } from '../../machinery/errors/index.ts';
import type { ManifestOrigin } from '../resource/parse-manifest.ts';
import { locateFields } from './locate-faults.ts';
import { type FilePlace, formatPlace } from './manifest-error.ts';

/** A server refuses an object of a file. */
export class LocatedStatusError extends StatusError {
  /** Where the field of each cause stands. */
  readonly places: readonly (FilePlace | undefined)[];

  constructor(status: Status, places: readonly (FilePlace | undefined)[], options: ErrorOptions) {
    super(status, options);
    this.places = places;
  }

  /** The causes, each with the place in the file before it. */
  get lines(): readonly string[] {
    return (this.status.details?.causes ?? []).map(({ field = '', message = '' }, index) => {
      const place = this.places[index];
      const where = place === undefined ? '' : `${formatPlace(place)} `;
      return where + (field === '' ? message : `${field}: ${message}`);
    });
  }
}

/** The same error with a place in the file for each of its causes. A field that is not there has that of the one above it. */
export function locateCauses(error: StatusError, { document, path }: ManifestOrigin): LocatedStatusError {
  const causes = error.status.details?.causes ?? [];
  const paths = causes.map(({ field = '' }) => [...path, ...parseFieldPath(field)]);
  return new LocatedStatusError(error.status, locateFields(document, paths), { cause: error });
}

/** `spec.ports[0].name` and `data[a.b]` as steps. */
export function parseFieldPath(field: string): YamlPath {
  return Array.from(field.matchAll(/\[([^\]]*)\]|[^.[\]]+/g), ([word, inBrackets]) =>
    inBrackets !== undefined && /^\d+$/.test(inBrackets) ? Number(inBrackets) : (inBrackets ?? word),
  );
}
