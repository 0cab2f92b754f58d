import { createObjectPrinter, type ObjectPrinter } from './object-printer.ts';
import { parseOutputFormat, unknownFormat } from './output-format.ts';

/**
 * Loads what prints data that a command made itself, one value after another: JSON with members in the order that they
 * have, YAML with `---` between the values. Undefined without a format: people read something else.
 *
 * @throws CtlError for a format other than json and yaml; `allowed` are those that the command has.
 */
export async function createDataPrinter(
  output: string | undefined,
  allowed: readonly string[] = ['json', 'yaml'],
): Promise<ObjectPrinter | undefined> {
  const format = parseOutputFormat(output);
  if (format.kind === 'human' && !format.isWide) return undefined;
  if (format.kind !== 'json' && format.kind !== 'yaml') throw unknownFormat(output ?? '', allowed);
  return createObjectPrinter({
    format,
    hasHeaders: true,
    allowsMissingKeys: true,
    showsManagedFields: true,
    isTyped: true,
  });
}
