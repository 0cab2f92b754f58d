import { isJsonObject } from '../../base/index.ts';
import {
  compileGoTemplate,
  ExecuteError,
  TemplateError,
  type Value,
} from '../../machinery/go-template/index.ts';
import { showValue } from '../../machinery/go-values/index.ts';
import { CtlError, OutputError } from '../errors.ts';
import { formatCompactJson } from './json.ts';

/** Compiles a template into a printer of objects. @throws CtlError when it cannot be read */
export function createGoTemplatePrinter(
  source: string,
  options: { readonly allowsMissing: boolean },
): (object: unknown) => string {
  const template = compile(source, options);
  return (object) => {
    const data = toValue(object);
    try {
      return template.execute(data);
    } catch (error) {
      if (!(error instanceof ExecuteError)) throw error;
      const help = `Error executing template: ${error.message}. Printing more information for debugging the template:
\ttemplate was:\n\t\t${source}
\traw data was:\n\t\t${formatCompactJson(object)}
\tobject given to template engine was:\n\t\t${showValue(data)}\n\n`;
      const message = `error executing template ${JSON.stringify(source)}: ${error.message}`;
      throw new OutputError(message, error.written + help);
    }
  };
}

function compile(source: string, options: { readonly allowsMissing: boolean }) {
  try {
    return compileGoTemplate(source, options);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw new CtlError(`error parsing template ${source}, ${error.message}`, { cause: error });
  }
}

/** What came as JSON, by the types of templates. */
function toValue(json: unknown): Value {
  if (Array.isArray(json)) return json.map(toValue);
  if (isJsonObject(json)) {
    return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, toValue(value)]));
  }
  if (json === null || json === undefined) return json;
  if (typeof json === 'string' || typeof json === 'boolean') return json;
  return typeof json === 'number' || typeof json === 'bigint' ? json : String(json);
}
