import { showValue } from '../../machinery/go-values/index.ts';
import { OutputError } from '../errors.ts';
import { alignTabs } from './elastic-tabs.ts';
import { compilePath, type JsonPath, JsonPathError } from './jsonpath/index.ts';
import { showControl } from './text-table.ts';

/** A column that the user asked for. */
export interface CustomColumn {
  readonly heading: string;
  readonly path: JsonPath;
}

/** Reads `NAME:.metadata.name,AGE:.metadata.creationTimestamp`. @throws JsonPathError */
export function parseCustomColumns(spec: string): readonly CustomColumn[] {
  if (spec === '') throw new JsonPathError('custom-columns format specified but no custom columns given');
  return spec.split(',').map((part) => {
    const colon = part.indexOf(':');
    if (colon < 0)
      throw new JsonPathError(`unexpected custom-columns spec: ${part}, expected <header>:<json-path-expr>`);
    return { heading: part.slice(0, colon), path: compilePath(part.slice(colon + 1)) };
  });
}

/** Reads a file with the headings on the first line and the paths on the second. @throws JsonPathError */
export function parseColumnsFile(text: string): readonly CustomColumn[] {
  const [headings = [], paths = []] = text
    .split('\n')
    .map((line) => line.split(/\s+/).filter((word) => word !== ''));
  if (paths.length === 0) {
    throw new JsonPathError(
      'invalid template, missing spec line. Expected format is one line of space separated headers, one line of space separated column specs.',
    );
  }
  if (headings.length !== paths.length) {
    throw new JsonPathError(
      `number of headers (${headings.length}) and field specifications (${paths.length}) don't match`,
    );
  }
  return headings.map((heading, index) => ({ heading, path: compilePath(paths[index] ?? '') }));
}

/** Prints objects in the columns that the user asked for. */
export interface CustomColumnsPrinter {
  print(objects: readonly unknown[]): string;
}

/** Makes a printer; the headings come with the first rows. */
export function createCustomColumnsPrinter(
  columns: readonly CustomColumn[],
  { hasHeaders }: { readonly hasHeaders: boolean },
): CustomColumnsPrinter {
  const widths: number[] = [];
  const align = (lines: readonly string[]) => alignTabs(lines.join(''), { gap: 3, minWidth: 6, widths });
  let isFirst = hasHeaders;
  return {
    print(objects) {
      const lines = isFirst ? [formatLine(columns.map((column) => column.heading))] : [];
      isFirst = false;
      for (const object of objects) {
        try {
          lines.push(formatLine(columns.map((column) => formatCell(column.path.find(object)))));
        } catch (error) {
          if (!(error instanceof JsonPathError)) throw error;
          throw new OutputError(error.message, align(lines));
        }
      }
      return align(lines);
    },
  };
}

const formatLine = (cells: readonly string[]): string => `${cells.join('\t')}\n`;
const controls = /(?![\t\n])\p{Cc}/gu;

/** Lines and tabs of values stay, for programs; other control characters are made visible, so that none drives the terminal. */
function formatCell(values: readonly unknown[]): string {
  if (values.length === 0) return '<none>';
  return values.map((value) => showValue(value).replace(controls, showControl)).join(',');
}
