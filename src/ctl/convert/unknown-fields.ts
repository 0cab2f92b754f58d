import { isJsonObject } from '../../base/index.ts';
import type { TypeCatalog } from '../../machinery/schema/index.ts';
import { join } from './compare.ts';
import { type Notice, showValue } from './notice.ts';

/** Types whose values are JSON of any shape, or have fields that their own form does not show. */
const opaqueTypes =
  /^(resource|intstr|runtime)\.|\.(Time|MicroTime|Duration|FieldsV1|Verbs|ExtraValue|JSON|JSONSchemaPropsOr\w+)$/;

/** What becomes of unknown fields. */
export interface UnknownFieldFate {
  /** They do not come out of the conversion. */
  readonly isLost: boolean;
}

/** The fields of an object that its type does not have. */
export function findUnknownFields(
  catalog: TypeCatalog,
  typeName: string,
  object: unknown,
  { isLost }: UnknownFieldFate,
): Notice[] {
  const notices: Notice[] = [];
  const visit = (type: string, value: unknown, path: string): void => {
    if (type.startsWith('list<')) {
      if (!Array.isArray(value)) return;
      for (const [index, item] of value.entries()) visit(type.slice(5, -1), item, `${path}[${index}]`);
    } else if (!isJsonObject(value) || opaqueTypes.test(type)) return;
    else if (type.startsWith('map<string,')) {
      for (const [key, item] of Object.entries(value)) visit(type.slice(11, -1), item, `${path}[${key}]`);
    } else if (type.includes('.')) {
      const fields = new Map(catalog.type(type).fields.map((field) => [field.name, field.type]));
      for (const [name, item] of Object.entries(value)) {
        const fieldType = fields.get(name);
        const fieldPath = join(path, name);
        if (fieldType !== undefined) visit(fieldType, item, fieldPath);
        else if (item !== null) {
          notices.push({
            level: 'unknown',
            path: fieldPath,
            text: `${isLost ? `lost ${showValue(item)}: ` : ''}there is no such field`,
          });
        }
      }
    }
  };
  visit(typeName, object, '');
  return notices;
}
