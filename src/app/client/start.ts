import { readFileSync } from 'node:fs';
import { codeFileOf, compileModule, type ModuleBody } from './compiled-module.ts';

/**
 * Starts the built client (`dist/ctl`) from code that was compiled when it was built. The runtime's own loader looks for folders,
 * packages and its cache around every file, and keeps what the first command happened to need; loading took a third of a command.
 */
const folder = import.meta.dirname;
const main = './ctl.cjs';

/** Modules that were loaded, by the names that others have for them. */
const loaded = new Map<string, { exports: unknown }>();

function load(name: string): unknown {
  const known = loaded.get(name);
  if (known !== undefined) return known.exports;
  const file = folder + name.slice(1);
  const script = compileModule(file, readFileSync(file, 'latin1'), readFileSync(codeFileOf(file)));
  // Another runtime than that of the build: its own loader keeps compiled code for the next command.
  if (name === main && script.cachedDataRejected === true) return createRequireHere()(name);
  const module = { exports: {} };
  loaded.set(name, module);
  const body: ModuleBody = script.runInThisContext();
  body(module.exports, requireFrom, module, file, folder);
  return module.exports;
}

const requireFrom = (name: string): unknown => (name.startsWith('./') ? load(name) : atFirstUse(name));

/** A module of the runtime or of another package. It is loaded when something of it is used: most commands use few of them. */
function atFirstUse(name: string): object {
  let found: object | undefined;
  const module = (): object => {
    found ??= requireOutside(name);
    return found;
  };
  return new Proxy(
    {},
    {
      get: (_, key) => Reflect.get(module(), key),
      ownKeys: () => Reflect.ownKeys(module()),
      getOwnPropertyDescriptor(_, key) {
        const property = Reflect.getOwnPropertyDescriptor(module(), key);
        return property === undefined ? undefined : { ...property, configurable: true };
      },
    },
  );
}

/** By the runtime's own loader. */
function requireOutside(name: string): object {
  if (name.startsWith('node:')) return process.getBuiltinModule(name) ?? {};
  return createRequireHere()(name);
}

const createRequireHere = (): NodeJS.Require =>
  process.getBuiltinModule('node:module').createRequire(import.meta.filename);

load(main);
