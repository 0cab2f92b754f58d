import { locateYamlFields } from '../../machinery/codec/index.ts';
import type { ManifestDocument } from '../resource/parse-manifest.ts';
import { ManifestError } from './manifest-error.ts';
import type { ManifestFault } from './validate-object.ts';

/**
 * An error for each fault, which points into the file: `web.yaml:17:9 spec.contaners: unknown field`, in the order of the
 * file. Line and column are left out when nobody wrote the text, as with a kustomization.
 */
export function locateFaults(document: ManifestDocument, faults: readonly ManifestFault[]): ManifestError[] {
  const { source, text, line, column, isMade } = document;
  const places = isMade
    ? []
    : locateYamlFields(
        text,
        faults.map((fault) => fault.path),
      );
  const located = faults.map((fault, index) => {
    const place = places[index] ?? { line: 1, column: 1 };
    // What stands in the first line of its document has what is before the document to its left.
    const shift = place.line === 1 ? column - 1 : 0;
    return { fault, line: line + place.line - 1, column: place.column + shift };
  });
  located.sort((a, b) => a.line - b.line || a.column - b.column);
  return located.map(({ fault, ...at }) => {
    const path = formatPath(fault.path);
    const detail = path === '' ? fault.text : `${path}: ${fault.text}`;
    const where = isMade ? source : `${source}:${at.line}:${at.column}`;
    return new ManifestError(`${where} ${detail}`, detail);
  });
}

/** `spec.ports[0].name`; keys that are no names are put in brackets: `metadata.labels[a.b/c]`. */
function formatPath(path: ManifestFault['path']): string {
  const steps = path.map((step) =>
    typeof step === 'string' && /^[\w-]+$/.test(step) ? `.${step}` : `[${step}]`,
  );
  return steps.join('').replace(/^\./, '');
}
