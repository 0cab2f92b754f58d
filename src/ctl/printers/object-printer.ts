import { asJsonObject, isJsonObject } from '../../base/index.ts';
import type { OutputFormat } from './output-format.ts';
import { readTemplate } from './output-format.ts';

/** How objects are printed. */
export interface ObjectPrintOptions {
  readonly format: Exclude<OutputFormat, { kind: 'human' }>;
  readonly hasHeaders: boolean;
  readonly allowsMissingKeys: boolean;
  readonly showsManagedFields: boolean;
  /** JSON has members in the order of the type, which objects are in, not sorted. */
  readonly isTyped?: boolean | undefined;
}

/** Prints one object or one list after another, in a machine's format. @throws JsonPathError or CtlError */
export type ObjectPrinter = (object: unknown) => string;

/** Loads and makes the printer of a format. @throws CtlError or JsonPathError when its template makes no sense. */
export async function createObjectPrinter(options: ObjectPrintOptions): Promise<ObjectPrinter> {
  const { format } = options;
  const prepare = options.showsManagedFields ? (object: unknown) => object : withoutManagedFields;
  switch (format.kind) {
    case 'json': {
      const { formatJson, formatTypedJson } = await import('./json.ts');
      const format = options.isTyped === true ? formatTypedJson : formatJson;
      return (object) => format(prepare(object));
    }
    case 'yaml': {
      const { writeYaml } = await import('../../machinery/codec/index.ts');
      let isFirst = true;
      return (object) => {
        const text = writeYaml(prepare(object));
        const separator = isFirst ? '' : '---\n';
        isFirst = false;
        return separator + text;
      };
    }
    case 'name': {
      const { formatObjectNames } = await import('./object-names.ts');
      return (object) =>
        formatObjectNames(object)
          .map((name) => `${name}\n`)
          .join('');
    }
    case 'jsonpath': {
      const { compileTemplate } = await import('./jsonpath/index.ts');
      const path = compileTemplate(format.template, { allowsMissing: options.allowsMissingKeys });
      return (object) => (format.isJson ? path.formatAsJson(object) : path.format(object));
    }
    case 'go-template': {
      const { createGoTemplatePrinter } = await import('./go-template.ts');
      const print = createGoTemplatePrinter(format.template, { allowsMissing: options.allowsMissingKeys });
      return (object) => print(prepare(object));
    }
    case 'custom-columns': {
      const columns = await import('./custom-columns.ts');
      const parsed = format.isFile
        ? columns.parseColumnsFile(readTemplate(format.spec, 'template'))
        : columns.parseCustomColumns(format.spec);
      const printer = columns.createCustomColumnsPrinter(parsed, options);
      return (object) => printer.print(itemsOf(object));
    }
  }
}

function itemsOf(object: unknown): readonly unknown[] {
  const { items } = asJsonObject(object);
  return Array.isArray(items) ? items : [object];
}

function withoutManagedFields(object: unknown): unknown {
  if (!isJsonObject(object)) return object;
  if (Array.isArray(object.items)) return { ...object, items: object.items.map(withoutManagedFields) };
  if (!isJsonObject(object.metadata)) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}
