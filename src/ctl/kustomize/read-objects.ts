import { asList, asText, isJsonObject, type JsonObject } from '../../base/index.ts';
import { parseYaml } from '../../machinery/codec/index.ts';
import { CtlError } from '../errors.ts';

/** The objects of a file, those in lists included. @throws CtlError that names the file */
export function readObjects(text: string, source: string): readonly JsonObject[] {
  return text.split(/^---(?:[ \t].*)?\r?$/m).flatMap((part) => {
    let value: unknown;
    try {
      value = parseYaml(Buffer.from(part, 'utf8'));
    } catch (cause) {
      if (!(cause instanceof Error)) throw cause;
      throw new CtlError(`YAML file [${source}] encounters a format error.\n${cause.message}`, { cause });
    }
    if (value === null || value === undefined) return [];
    return flatten(value, source);
  });
}

function flatten(value: unknown, source: string): readonly JsonObject[] {
  if (!isJsonObject(value)) throw new CtlError(`YAML file [${source}]: an object must be a map`);
  if (!asText(value.kind).endsWith('List') || !Array.isArray(value.items)) return [value];
  return asList(value.items).flatMap((item) => flatten(item, source));
}
