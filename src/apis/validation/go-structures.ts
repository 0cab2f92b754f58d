import { asJsonObject, isJsonObject } from '../../base/index.ts';
import { quoteGo, VerbatimValue } from '../../machinery/errors/index.ts';
import {
  goFieldName,
  listElement,
  mapElement,
  type TypeCatalog,
  wasGivenEmpty,
} from '../../machinery/schema/index.ts';
import { goBytes, goList, goMap, goPointer, goQuantity, goStruct } from './go-syntax.ts';

/** Nested types are rendered this deep; deeper ones are cut short. */
const maxDepth = 12;

/**
 * Any value of a catalog type (`v1.PodSpec`, `list<v1.Container>`, `map<string,string>`) as release 1.20 shows it in
 * messages: `core.PodSpec{...}`. Types of a group carry the group's name, those of metadata `v1`. Addresses of
 * pointers cannot be known, nor which fields release 1.20 groups otherwise in its own form of a type.
 *
 * @throws RangeError for a type that the catalog does not have.
 */
export function renderGo(value: unknown, type: string, catalog: TypeCatalog): VerbatimValue {
  return new VerbatimValue(render(value, type, catalog, 0));
}

function render(value: unknown, type: string, catalog: TypeCatalog, depth: number): string {
  const item = listElement(type);
  if (item !== undefined) {
    const items = Array.isArray(value) ? value : [];
    return goList(
      goType(item),
      items.map((one: unknown) => render(one, item, catalog, depth + 1)),
    );
  }
  const entry = mapElement(type);
  if (entry !== undefined) {
    if (!isJsonObject(value)) return goMap(goType(entry), undefined);
    return goMap(
      goType(entry),
      Object.entries(value).map(([key, one]) => [key, render(one, entry, catalog, depth + 1)]),
    );
  }
  return scalars[type]?.(value) ?? renderStruct(value, type, catalog, depth);
}

function renderStruct(value: unknown, type: string, catalog: TypeCatalog, depth: number): string {
  if (depth > maxDepth) return `${goType(type)}{}`;
  const object = asJsonObject(value);
  const fields = catalog.type(type).fields.map((field): [string, string] => {
    const member = Object.hasOwn(object, field.name) ? object[field.name] : undefined;
    const isSet = member !== undefined && member !== null;
    let text: string;
    if (field.isPointer) text = goPointer(goType(field.type), isSet);
    else if (!isSet && wasGivenEmpty(object, field.name)) text = `${goType(field.type)}{}`;
    else text = render(member, field.type, catalog, depth + 1);
    return [goFieldName(field.name, type), text];
  });
  return goStruct(goType(type), fields);
}

/** Type name of release 1.20's own form: `core.PodSpec` for `v1.PodSpec`, `apps.DeploymentSpec` for `apps/v1...`. */
function goType(type: string): string {
  const item = listElement(type);
  if (item !== undefined) return `[]${goType(item)}`;
  const entry = mapElement(type);
  if (entry !== undefined) return `map[string]${goType(entry)}`;
  const [, group = '', version, name] = /^(?:([^/]*)\/)?(v\d\w*)\.(.*)$/.exec(type) ?? [];
  if (version === undefined) return goScalarTypes[type] ?? type;
  if (group.startsWith('meta.')) return `${version}.${name}`;
  return `${group === '' ? 'core' : group.split('.')[0]}.${name}`;
}

const goScalarTypes: Readonly<Record<string, string>> = {
  double: 'float64',
  bytes: '[]uint8',
  any: 'interface {}',
};

const renderNumber = (value: unknown): string => String(value ?? 0);

/** Types with a form of their own. */
const scalars: Readonly<Record<string, (value: unknown) => string>> = {
  string: (value) => quoteGo(typeof value === 'string' ? value : ''),
  int32: renderNumber,
  int64: renderNumber,
  double: renderNumber,
  bool: (value) => String(value === true),
  bytes: (value) => goBytes(Buffer.from(typeof value === 'string' ? value : '', 'base64')),
  any: (value) => JSON.stringify(value ?? null),
  'resource.Quantity': (value) => goQuantity(String(value ?? '0')).text,
  'intstr.IntOrString': (value) =>
    goStruct('intstr.IntOrString', [
      ['Type', typeof value === 'string' ? '1' : '0'],
      ['IntVal', typeof value === 'number' ? String(value) : '0'],
      ['StrVal', quoteGo(typeof value === 'string' ? value : '')],
    ]),
};
