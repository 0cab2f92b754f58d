/**
 * Writes `src/apis/types/<group>-<version>.ts` from the type catalog's data (`src/apis/types.json`):
 * one interface per API type, in the canonical form that decoding produces. Run after changing the data:
 * `node scripts/generate-types.ts`.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

interface FieldData {
  readonly n: string;
  readonly t: string;
  readonly ptr?: 1;
  readonly omit?: 1;
  readonly e?: string;
  readonly inline?: 1;
  readonly json?: string;
}
interface TypeData {
  readonly f?: readonly FieldData[];
  readonly kind?: 1;
}
interface EnumData {
  readonly values: readonly string[];
  readonly open?: 1;
}

const root = new URL('../', import.meta.url);
const data = JSON.parse(readFileSync(new URL('src/apis/types.json', root), 'utf8')) as {
  types: Record<string, TypeData>;
  enums: Record<string, EnumData>;
};

const special: Record<string, string> = {
  string: 'string',
  bool: 'boolean',
  bytes: 'string',
  any: 'unknown',
  int32: 'number',
  int64: 'number',
  uint32: 'number',
  uint64: 'number',
  float64: 'number',
  double: 'number',
  float: 'number',
  'resource.Quantity': 'string',
  'intstr.IntOrString': 'number | string',
  'runtime.RawExtension': 'Record<string, unknown>',
};

function fileOf(typeName: string): string {
  const groupVersion = typeName.slice(0, typeName.lastIndexOf('.'));
  if (!groupVersion.includes('/')) return groupVersion === 'v1' ? 'core-v1' : groupVersion;
  const [group = '', version = ''] = groupVersion.split('/');
  const short = group.replace(/\.orch\.io$/, '').replaceAll('.', '-');
  return `${short}-${version}`;
}
const nameOf = (typeName: string): string => typeName.slice(typeName.lastIndexOf('.') + 1);

const files = new Map<string, string[]>();
for (const key of Object.keys(data.types)) {
  const file = fileOf(key);
  files.set(file, [...(files.get(file) ?? []), key]);
}

function specialOf(key: string): string | undefined {
  if (special[key] !== undefined) return special[key];
  const name = nameOf(key);
  if (key.startsWith('meta.')) {
    if (name === 'Time' || name === 'MicroTime' || name === 'Timestamp') return 'string | null';
    if (name === 'Duration') return 'string';
    if (name === 'FieldsV1') return 'Record<string, unknown>';
    if (name === 'Verbs') return 'string[]';
  }
  if (name === 'ExtraValue') return 'string[]';
  if (name === 'JSON' && key.startsWith('apiextensions')) return 'unknown';
  return undefined;
}

const outDir = new URL('src/apis/types/', root);
rmSync(outDir, { recursive: true, force: true });
mkdirSync(outDir, { recursive: true });

for (const [file, keys] of files) {
  const imports = new Map<string, Set<string>>();
  const render = (type: string): string => {
    const list = /^list<(.*)>$/.exec(type);
    if (list?.[1] !== undefined) {
      const inner = render(list[1]);
      return inner.includes('|') ? `(${inner})[]` : `${inner}[]`;
    }
    const map = /^map<string,(.*)>$/.exec(type);
    if (map?.[1] !== undefined) return `Record<string, ${render(map[1])}>`;
    const known = specialOf(type);
    if (known !== undefined) return known;
    if (data.types[type] === undefined) return 'unknown';
    const target = fileOf(type);
    const name = nameOf(type);
    if (target === file) return name;
    const alias = keys.some((k) => nameOf(k) === name) ? `${name} as ${name}_` : name;
    imports.set(target, (imports.get(target) ?? new Set()).add(alias));
    return alias.includes(' as ') ? `${name}_` : name;
  };
  const bodies: string[] = [];
  for (const key of keys) {
    const type = data.types[key];
    if (type === undefined) continue;
    const known = specialOf(key);
    if (known !== undefined) {
      bodies.push(`export type ${nameOf(key)} = ${known};`);
      continue;
    }
    if (type.f === undefined) {
      bodies.push(`export type ${nameOf(key)} = unknown;`);
      continue;
    }
    const lines = type.f
      .filter((f) => f.inline === undefined && f.json !== '-')
      .map((f) => {
        if (type.kind && (f.n === 'kind' || f.n === 'apiVersion')) return `  ${f.n}: string;`;
        const isStruct = data.types[f.t]?.f !== undefined && specialOf(f.t) === undefined;
        const optional = f.ptr !== undefined || (f.omit !== undefined && !isStruct);
        const rendered = f.e && f.t === 'string' ? 'string' : render(f.t);
        // Without a value these are written as null, the others as their zero value or not at all.
        const isNullable = !f.omit && (f.ptr !== undefined || /^(?:list<|map<|bytes$)/.test(f.t));
        const nullable = isNullable ? ' | null' : '';
        const name = /^[A-Za-z_$][\w$]*$/.test(f.n) ? f.n : `'${f.n}'`;
        return `  ${name}${optional ? '?' : ''}: ${rendered}${nullable}${optional ? ' | undefined' : ''};`;
      });
    if (lines.length === 0) {
      bodies.push(`export type ${nameOf(key)} = Record<string, never>;`);
      continue;
    }
    bodies.push(`export interface ${nameOf(key)} {\n${lines.join('\n')}\n}`);
  }
  const importLines = [...imports.entries()]
    .sort()
    .map(([from, names]) => `import type { ${[...names].sort().join(', ')} } from './${from}.ts';`);
  const head = '// Generated by scripts/generate-types.ts from src/apis/types.json. Do not edit.\n';
  writeFileSync(
    new URL(`${file}.ts`, outDir),
    `${[head.trimEnd(), importLines.join('\n'), ...bodies].filter((part) => part !== '').join('\n\n')}\n`,
  );
}
