import type { OptionSpec } from '../options.ts';
import { valueKind } from '../typed-values/index.ts';
import type { OptionType } from '../values/value-types.ts';
import reference from './reference-flags.json' with { type: 'json' };

/** Types of release 1.20's flag listing that have another name in option tables; the rest have the same. */
const typeNames: Readonly<Record<string, OptionType>> = {
  bool: 'bool',
  int: 'int',
  uint: 'uint',
  float: 'float',
  float32: 'float',
  duration: 'duration',
  strings: 'strings',
  stringArray: 'stringArray',
  mapStringString: 'mapStringString',
  mapStringBool: 'mapStringBool',
  ip: 'ip',
  cidrs: 'cidrs',
};

/**
 * release 1.20's flags that have no entry in the tables of this folder: those with nothing to do here, which are
 * accepted with a warning, and those not supported yet, which are refused unless they only repeat the default.
 */
export const otherReferenceOptions: readonly OptionSpec[] = reference.flags
  .filter((flag) => flag.support !== 'yes')
  .map((flag) => ({
    name: flag.name,
    ...valueKind(typeNames[flag.type] ?? 'string'),
    // Defaults of types read as text are text here too.
    ...('default' in flag && {
      default: typeNames[flag.type] === undefined ? String(flag.default) : flag.default,
    }),
    section: 'Flags of the reference without effect here',
    help: `${flag.support === 'no-effect' ? 'Accepted; has no effect' : 'Not supported'}: ${flag.reason}.`,
    ...(flag.reason === undefined ? {} : { reason: flag.reason }),
    hidden: true,
    ...(flag.support === 'no-effect' ? { withoutEffect: true } : { unsupported: true }),
  }));
