import { locateYamlFields, type YamlPath } from '../../machinery/codec/index.ts';
import type { ManifestDocument } from '../resource/parse-manifest.ts';
import { type FilePlace, formatPlace, ManifestError } from './manifest-error.ts';
import type { ManifestFault } from './validate-object.ts';

/**
 * An error for each fault, which points into the file: `web.yaml:17:9 spec.contaners: unknown field`, in the order of the
 * file. Line and column are left out when nobody wrote the text, as with a kustomization.
 */
export function locateFaults(document: ManifestDocument, faults: readonly ManifestFault[]): ManifestError[] {
  const places = locateFields(
    document,
    faults.map((fault) => fault.path),
  );
  const located = faults.map((fault, index) => ({ fault, place: places[index] }));
  located.sort((a, b) => comparePlaces(a.place, b.place));
  return located.map(({ fault, place }) => makeFaultError(document, fault, place));
}

/** The error for a fault at a place of a document. */
export function makeFaultError(
  { source }: Pick<LocatedText, 'source'>,
  fault: Pick<ManifestFault, 'path' | 'text'>,
  place: FilePlace | undefined,
): ManifestError {
  const path = formatPath(fault.path);
  const detail = path === '' ? fault.text : `${path}: ${fault.text}`;
  const where = place === undefined ? source : formatPlace(place);
  return new ManifestError(`${where} ${detail}`, detail, { path, text: fault.text, place });
}

/** Text of a document, and where it begins in a file. */
export type LocatedText = Pick<ManifestDocument, 'source' | 'text' | 'line' | 'column' | 'isMade'>;

/** Where fields of a document stand in its file; undefined for those of text that nobody wrote. */
export function locateFields(
  { source, text, line, column, isMade }: LocatedText,
  paths: readonly YamlPath[],
): readonly (FilePlace | undefined)[] {
  if (isMade) return paths.map(() => undefined);
  const found = locateYamlFields(text, paths);
  return paths.map((_, index) => {
    const place = found[index] ?? { line: 1, column: 1 };
    // What stands in the first line of its document has what is before the document to its left.
    const shift = place.line === 1 ? column - 1 : 0;
    return { file: source, line: line + place.line - 1, column: place.column + shift };
  });
}

/** The order of places in a file; those that nobody knows stay where they are. */
export function comparePlaces(a: FilePlace | undefined, b: FilePlace | undefined): number {
  if (a === undefined || b === undefined) return 0;
  return a.line - b.line || a.column - b.column;
}

/** `spec.ports[0].name`; keys that are no names are put in brackets: `metadata.labels[a.b/c]`. */
function formatPath(path: ManifestFault['path']): string {
  const steps = path.map((step) =>
    typeof step === 'string' && /^[\w-]+$/.test(step) ? `.${step}` : `[${step}]`,
  );
  return steps.join('').replace(/^\./, '');
}
